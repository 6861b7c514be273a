/* SPDX-License-Identifier: Apache-2.0 */
/* The popover for the definition of phases: those that suit the history to choose from, and an entry to type
 * another. */
#include "app/time/time-phases.h"

#include <glib/gi18n.h>

#include "app/job.h"
#include "app/names.h"
#include "app/shown-text.h"
#include "history/kept-phases.h"
#include "lightcone/rules.h"

enum
{
  MOST_LOOKED_AT = 20000, /* objects of the history */
  MOST_OF_KIND = 200,
};

#define LC_TYPE_TIME_PHASES (lc_time_phases_get_type ())
G_DECLARE_FINAL_TYPE (LcTimePhases, lc_time_phases, LC, TIME_PHASES, GtkPopover)

struct _LcTimePhases
{
  GtkPopover parent;

  LcSession *session;
  LcOpened *opened; /* history whose definitions are listed */
  LcJob *finding;   /* NULL: the popover has gone */
  GtkStringList *definitions;
  GtkStringFilter *filter;
  GtkEntry *entry;
  GtkListView *list;
  GtkLabel *used;
};

G_DEFINE_FINAL_TYPE (LcTimePhases, lc_time_phases, GTK_TYPE_POPOVER)

/* --- Finding definitions ----------------------------------------------------------------------------------------- */

/* Returns NULL if no operation has this name. */
static const LcHistoryOperation *
find_operation (LcHistory *history, const char *name)
{
  for (guint32 i = 0; i < lc_history_get_n_operations (history); i++)
    {
      const LcHistoryOperation *operation = lc_history_get_operation (history, i);

      if (operation != NULL && g_strcmp0 (operation->name, name) == 0)
        return operation;
    }
  return NULL;
}

typedef enum
{
  KIND_BARRIER,
  KIND_COLLECTIVE,
  KIND_REGION,
  KIND_OBJECT,
  KINDS,
} Kind;

/* Finds objects that can begin phases, of each kind no more than a user can look through. */
static gboolean
look_at_objects (LcHistory *history, GPtrArray **found, GCancellable *cancellable, GError **error)
{
  static const char *const words[KINDS] = {"barrier", "collective", "region", "object"};
  const LcHistoryOperation *enter = find_operation (history, "enter");
  const char *region = enter != NULL ? enter->class_name : NULL;
  guint32 n = MIN (lc_history_get_n_objects (history), MOST_LOOKED_AT);

  for (guint32 i = 0; i < n; i++)
    {
      LcHistoryObject object;
      Kind kind;

      if (g_cancellable_set_error_if_cancelled (cancellable, error) ||
          !lc_history_get_object (history, i, &object, error))
        return FALSE;
      kind = g_strcmp0 (object.class_name, "barrier") == 0                  ? KIND_BARRIER
             : g_strcmp0 (object.class_name, "collective") == 0             ? KIND_COLLECTIVE
             : region != NULL && g_strcmp0 (object.class_name, region) == 0 ? KIND_REGION
                                                                            : KIND_OBJECT;
      if (object.events > 1 && found[kind]->len < MOST_OF_KIND)
        g_ptr_array_add (found[kind], g_strdup_printf ("%s:%s", words[kind], object.name));
      lc_history_object_clear (&object);
    }
  return TRUE;
}

static gboolean
time_phases_add_objects (LcHistory *history, GPtrArray *definitions, GCancellable *cancellable, GError **error)
{
  GPtrArray *found[KINDS];
  gboolean good;

  for (Kind kind = 0; kind < KINDS; kind++)
    found[kind] = g_ptr_array_new_with_free_func (g_free);
  good = look_at_objects (history, found, cancellable, error);
  for (Kind kind = 0; kind < KINDS; kind++)
    g_ptr_array_extend_and_steal (definitions, found[kind]);
  return good;
}

/* Returns the definitions, as a GStrv. */
static gpointer
time_phases_work (gpointer data, LcJobPermille *done, GCancellable *cancellable, GError **error)
{
  LcHistory *history = ((LcOpened *)data)->history;
  g_autoptr (GPtrArray) definitions = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) rules = lc_kept_phases_list_rules (history, error);

  g_ptr_array_add (definitions, g_strdup ("auto"));
  for (guint i = 0; rules != NULL && i < rules->len; i++)
    g_ptr_array_add (definitions, g_strconcat ("rule:", ((const LcPhaseRule *)rules->pdata[i])->name, NULL));
  if (find_operation (history, "tag") != NULL)
    g_ptr_array_add (definitions, g_strdup ("tag"));
  if (rules == NULL || !time_phases_add_objects (history, definitions, cancellable, error))
    return NULL;
  g_ptr_array_add (definitions, NULL);
  return g_ptr_array_free (g_steal_pointer (&definitions), FALSE);
}

static void
time_phases_done (gpointer owner, gpointer result, const GError *error)
{
  LcTimePhases *self = LC_TIME_PHASES (owner);
  g_auto (GStrv) definitions = result;

  if (definitions == NULL)
    lc_session_tell (self->session, error->message);
  else
    gtk_string_list_splice (self->definitions, 0, g_list_model_get_n_items (G_LIST_MODEL (self->definitions)),
                            (const char *const *)definitions);
}

/* Finds the definitions again after another history was opened. */
static void
time_phases_find (LcTimePhases *self)
{
  LcOpened *opened = lc_session_get_opened (self->session);

  if (opened == self->opened || opened == NULL)
    return;
  g_clear_pointer (&self->opened, lc_opened_unref);
  self->opened = lc_opened_ref (opened);
  lc_job_start (self->finding, time_phases_work, lc_opened_ref (opened), (GDestroyNotify)lc_opened_unref);
}

/* --- Choosing ------------------------------------------------------------------------------------------------------
 */

static void
time_phases_choose (LcTimePhases *self, const char *definition)
{
  gtk_popover_popdown (GTK_POPOVER (self));
  lc_session_begin (self->session);
  lc_session_set_phases (self->session, g_str_equal (definition, "auto") ? NULL : definition);
  lc_session_set_time (self->session, LC_SCENE_PHASE);
  lc_session_end (self->session);
}

static void
on_activate (GtkListView *list, guint position, LcTimePhases *self)
{
  g_autoptr (GtkStringObject) item = g_list_model_get_item (G_LIST_MODEL (gtk_list_view_get_model (list)), position);

  if (item != NULL)
    time_phases_choose (self, gtk_string_object_get_string (item));
}

static void
time_phases_on_entered (GtkEntry *entry, LcTimePhases *self)
{
  GListModel *model = G_LIST_MODEL (gtk_list_view_get_model (self->list));
  const char *text = gtk_editable_get_text (GTK_EDITABLE (entry));

  if (g_list_model_get_n_items (model) == 1)
    on_activate (self->list, 0, self);
  else if (text[0] != '\0')
    time_phases_choose (self, text);
}

static void
on_show (LcTimePhases *self)
{
  const LcShown *shown = lc_session_get_shown (self->session);
  const LcPhases *phases = shown != NULL ? lc_kept_get (shown->phases) : NULL;
  g_autofree char *text = NULL;

  if (phases != NULL)
    text = g_strdup_printf (ngettext ("Now: %s, %u phase", "Now: %s, %u phases", lc_phases_get_n (phases)),
                            lc_phases_get_definition (phases), lc_phases_get_n (phases));
  lc_label_show (self->used, text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (self->used), text != NULL);
  gtk_editable_set_text (GTK_EDITABLE (self->entry), "");
  time_phases_find (self);
}

/* --- The list ------------------------------------------------------------------------------------------------------
 */

static void
time_phases_set_up (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_list_item_set_child (item, label);
}

static void
time_phases_bind (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  const char *definition = gtk_string_object_get_string (gtk_list_item_get_item (item));

  lc_label_show (GTK_LABEL (gtk_list_item_get_child (item)),
                 g_str_equal (definition, "auto") ? _ ("auto: what the history has") : definition);
}

static void
lc_time_phases_dispose (GObject *object)
{
  LcTimePhases *self = LC_TIME_PHASES (object);

  g_clear_pointer (&self->finding, lc_job_free);
  g_clear_pointer (&self->opened, lc_opened_unref);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (lc_time_phases_parent_class)->dispose (object);
}

static void
lc_time_phases_class_init (LcTimePhasesClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = lc_time_phases_dispose;
  gtk_widget_class_set_template_from_resource (widget, LC_RESOURCES "time-phases.ui");
  gtk_widget_class_bind_template_child (widget, LcTimePhases, entry);
  gtk_widget_class_bind_template_child (widget, LcTimePhases, list);
  gtk_widget_class_bind_template_child (widget, LcTimePhases, used);
  gtk_widget_class_bind_template_callback (widget, on_activate);
  gtk_widget_class_bind_template_callback (widget, time_phases_on_entered);
  gtk_widget_class_bind_template_callback (widget, on_show);
}

static void
lc_time_phases_init (LcTimePhases *self)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkExpression *string = gtk_property_expression_new (GTK_TYPE_STRING_OBJECT, NULL, "string");
  GtkFilterListModel *filtered;

  gtk_widget_init_template (GTK_WIDGET (self));
  self->finding = lc_job_new (self, time_phases_done, NULL, (GDestroyNotify)g_strfreev);
  self->definitions = gtk_string_list_new (NULL);
  self->filter = gtk_string_filter_new (string);
  filtered = gtk_filter_list_model_new (G_LIST_MODEL (self->definitions), GTK_FILTER (self->filter));
  g_signal_connect (factory, "setup", G_CALLBACK (time_phases_set_up), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (time_phases_bind), NULL);
  gtk_list_view_set_factory (self->list, factory);
  gtk_list_view_set_model (self->list, GTK_SELECTION_MODEL (gtk_no_selection_new (G_LIST_MODEL (filtered))));
  g_object_bind_property (self->entry, "text", self->filter, "search", G_BINDING_DEFAULT);
  g_object_unref (factory);
}

GtkWidget *
lc_time_phases_new (LcSession *session)
{
  LcTimePhases *self = g_object_new (LC_TYPE_TIME_PHASES, NULL);

  self->session = g_object_ref (session);
  return GTK_WIDGET (self);
}
