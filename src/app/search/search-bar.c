/* SPDX-License-Identifier: Apache-2.0 */
/* The search bar: the query, its interpretation, the number of hits, and the way from hit to hit. */
#include "app/search/search-bar.h"

#include <glib/gi18n.h>

#include "app/names.h"
#include "app/search/search-work.h"
#include "app/shown-text.h"
#include "trace/quantities.h"

enum
{
  TICKS_UNSEEN = 3, /* before progress is shown: quick searches need none */
};

struct _LcSearchBar
{
  GtkWidget parent;

  GtkSearchBar *bar;
  GtkSearchEntry *entry;
  GtkLabel *count;
  GtkProgressBar *progress;
  GtkLabel *note;
  GtkListBox *examples;
  GtkPopover *help;

  LcSession *session;
  LcSearchRequest *request; /* NULL: no search */
  LcSearchAnswer *answer;   /* NULL: the hits are not all known yet */
  LcSearchNames *names;     /* of the history */
  LcJob *all;
  LcJob *next;
  guint n_ticks;
  char *asked;       /* query that the request was made from */
  GtkWidget *before; /* widget that had the focus before, and gets it back; or NULL */
};

G_DEFINE_FINAL_TYPE (LcSearchBar, lc_search_bar, GTK_TYPE_WIDGET)

/* --- Texts ------------------------------------------------------------------------------------------------------- */

static void
show_note (LcSearchBar *bar, const char *text, gboolean wrong)
{
  lc_label_show (bar->note, text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (bar->note), text != NULL && *text != '\0');
  if (wrong)
    gtk_widget_add_css_class (GTK_WIDGET (bar->note), "error");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (bar->note), "error");
}

/* Returns the number of the selected hit, from 1; 0: the selected event is not a hit. */
static guint
search_bar_find_number (LcSearchBar *bar)
{
  const LcHistoryEvent *event = lc_session_get_event (bar->session);
  const GArray *hits = bar->answer->found->hits;
  LcSearchHit place;
  guint number;

  if (event == NULL || hits == NULL)
    return 0;
  place = (LcSearchHit){.begin = event->begin, .process = event->process, .ordinal = event->ordinal};
  number = 0;
  if (!lc_search_pick (hits, &place, FALSE, &number))
    number = hits->len;
  return number > 0 && lc_search_compare (&g_array_index (hits, LcSearchHit, number - 1), &place) == 0 ? number : 0;
}

static void
show_count (LcSearchBar *bar)
{
  g_autofree char *text = g_strdup ("");
  gboolean counting = lc_job_is_running (bar->all);

  if (bar->answer != NULL && bar->answer->found != NULL)
    {
      g_autofree char *n = lc_format_count (bar->answer->found->n_hits);
      guint number = search_bar_find_number (bar);
      g_autofree char *which = lc_format_count (number);

      g_free (text);
      text = bar->answer->found->n_hits == 0 ? g_strdup (_ ("nothing found"))
             : number > 0                    ? g_strdup_printf (_ ("%s of %s"), which, n)
                                             : g_strdup_printf (_ ("%s found"), n);
    }
  else if (counting && bar->request != NULL)
    {
      g_autofree char *n = lc_format_count ((guint64)g_atomic_int_get (&bar->request->counted));

      g_free (text);
      text = g_strdup_printf ("%s+", n);
    }
  lc_label_show (bar->count, text);
  gtk_widget_set_visible (GTK_WIDGET (bar->progress), counting && bar->n_ticks >= TICKS_UNSEEN);
}

/* --- Looking ----------------------------------------------------------------------------------------------------- */

static void
search_bar_forget (LcSearchBar *bar)
{
  lc_job_stop (bar->all);
  lc_job_stop (bar->next);
  g_clear_pointer (&bar->request, lc_search_request_unref);
  g_clear_pointer (&bar->answer, lc_search_answer_free);
  g_clear_pointer (&bar->asked, g_free);
  lc_session_set_hits (bar->session, NULL);
}

static void
search_bar_look (LcSearchBar *bar)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (bar->entry));
  LcShown *shown = lc_session_get_shown (bar->session);
  g_autofree char *problem = NULL;
  GArray *terms;

  search_bar_forget (bar);
  bar->asked = g_strdup (text);
  terms = lc_search_query_parse (text, &problem);
  show_note (bar, problem, TRUE);
  if (terms != NULL && terms->len > 0 && shown != NULL)
    {
      bar->request = lc_search_request_new (shown, bar->names, terms);
      bar->n_ticks = 0;
      lc_job_start (bar->all, lc_search_work_all, lc_search_request_ref (bar->request),
                    (GDestroyNotify)lc_search_request_unref);
    }
  else if (terms != NULL)
    g_array_unref (terms);
  show_count (bar);
}

static void
on_all (gpointer owner, gpointer result, const GError *error)
{
  LcSearchBar *bar = owner;

  bar->answer = result;
  if (bar->answer == NULL)
    show_note (bar, error->message, TRUE);
  else
    {
      if (bar->names == NULL && bar->answer->names != NULL)
        bar->names = lc_search_names_ref (bar->answer->names);
      if (bar->answer->places != NULL && gtk_search_bar_get_search_mode (bar->bar))
        lc_session_set_hits (bar->session, lc_kept_ref (bar->answer->places));
      show_note (bar, bar->answer->problem != NULL ? bar->answer->problem : bar->answer->explanation,
                 bar->answer->problem != NULL);
    }
  show_count (bar);
}

static void
search_bar_on_tick (gpointer owner, double fraction)
{
  LcSearchBar *bar = owner;

  bar->n_ticks++;
  gtk_progress_bar_set_fraction (bar->progress, fraction);
  show_count (bar);
}

/* --- Going ------------------------------------------------------------------------------------------------------- */

static void
search_bar_go_to (LcSearchBar *bar, const LcSearchHit *hit, gboolean backwards, gboolean wrapped)
{
  lc_session_select (bar->session, hit->process, hit->ordinal, TRUE);
  if (wrapped)
    lc_session_tell (bar->session, backwards ? _ ("Went on from the end.") : _ ("Went on from the beginning."));
  show_count (bar);
}

static void
on_next (gpointer owner, gpointer result, const GError *error)
{
  LcSearchBar *bar = owner;
  g_autofree LcSearchNext *next = result;

  if (next == NULL)
    show_note (bar, error->message, TRUE);
  else if (next->any)
    search_bar_go_to (bar, &next->hit, next->backwards, next->wrapped);
}

/* Finds the place to search from: the selection, or the edge of the view. FALSE: from before the first event on. */
static gboolean
search_bar_get_place (LcSearchBar *bar, gboolean backwards, LcSearchHit *place)
{
  const LcHistoryEvent *event = lc_session_get_event (bar->session);
  const LcShown *shown = lc_session_get_shown (bar->session);
  LcSpan span;

  *place = (LcSearchHit){0};
  if (event != NULL)
    {
      *place = (LcSearchHit){.begin = event->begin, .process = event->process, .ordinal = event->ordinal};
      return TRUE;
    }
  lc_session_get_span (bar->session, &span);
  if (backwards)
    *place = (LcSearchHit){.begin = G_MAXINT64, .process = LC_TRACE_NONE, .ordinal = G_MAXUINT64};
  if (shown->selection.time == LC_SCENE_PHYSICAL)
    place->begin = (guint64)MAX (backwards ? span.to : span.from, 0);
  return place->begin > 0;
}

void
lc_search_bar_go (LcSearchBar *bar, gboolean backwards)
{
  LcSearchStep *step;
  guint number;

  if (lc_session_get_shown (bar->session) == NULL)
    return;
  if (g_strcmp0 (bar->asked, gtk_editable_get_text (GTK_EDITABLE (bar->entry))) != 0)
    search_bar_look (bar);
  if (bar->request == NULL)
    {
      lc_search_bar_open (bar, NULL);
      return;
    }
  if (bar->answer != NULL && bar->answer->found != NULL && bar->answer->found->hits != NULL)
    {
      const GArray *hits = bar->answer->found->hits;
      LcSearchHit place;
      gboolean has_place = search_bar_get_place (bar, backwards, &place);
      gboolean wrapped = !lc_search_pick (hits, has_place ? &place : NULL, backwards, &number);

      if (wrapped)
        number = backwards ? hits->len - 1 : 0;
      if (hits->len > 0)
        search_bar_go_to (bar, &g_array_index (hits, LcSearchHit, number), backwards, wrapped);
      return;
    }
  if (bar->answer != NULL && bar->answer->found == NULL) /* the query matches no name of the history */
    return;
  step = g_new0 (LcSearchStep, 1);
  *step = (LcSearchStep){.request = lc_search_request_ref (bar->request), .backwards = backwards};
  step->is_at_edge = !search_bar_get_place (bar, backwards, &step->from);
  lc_job_start (bar->next, lc_search_work_next, step, (GDestroyNotify)lc_search_step_free);
}

void
lc_search_bar_open (LcSearchBar *bar, const char *text)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (bar));

  if (!gtk_search_bar_get_search_mode (bar->bar))
    g_set_weak_pointer (&bar->before, root != NULL ? gtk_root_get_focus (root) : NULL);
  gtk_search_bar_set_search_mode (bar->bar, TRUE);
  if (text != NULL)
    gtk_editable_set_text (GTK_EDITABLE (bar->entry), text);
  gtk_widget_grab_focus (GTK_WIDGET (bar->entry));
  if (text != NULL)
    lc_search_bar_go (bar, FALSE);
}

/* --- Events ------------------------------------------------------------------------------------------------------ */

/* Whether hits may be others than before, or at other places. */
static gboolean
search_bar_is_stale (LcSession *session, guint what)
{
  const LcShown *shown = lc_session_get_shown (session);
  guint matters = LC_CHANGED_HISTORY | LC_CHANGED_TIME | LC_CHANGED_TIMELINE | LC_CHANGED_ROWS | LC_CHANGED_FILTER;

  if (shown != NULL && shown->selection.time == LC_SCENE_PHASE)
    matters |= LC_CHANGED_FOUND;
  return (what & matters) != 0;
}

static void
search_bar_on_changed (LcSession *session, guint what, LcSearchBar *bar)
{
  if ((what & LC_CHANGED_HISTORY) != 0)
    {
      search_bar_forget (bar);
      g_clear_pointer (&bar->names, lc_search_names_unref);
    }
  if (search_bar_is_stale (session, what) && gtk_search_bar_get_search_mode (bar->bar))
    search_bar_look (bar);
  else if ((what & LC_CHANGED_SELECTION) != 0 && bar->answer != NULL)
    show_count (bar);
}

static void
search_bar_on_text (LcSearchBar *bar)
{
  if (g_strcmp0 (bar->asked, gtk_editable_get_text (GTK_EDITABLE (bar->entry))) != 0)
    search_bar_look (bar);
}

static void
search_bar_on_entered (LcSearchBar *bar)
{
  lc_search_bar_go (bar, FALSE);
}

static void
on_previous (LcSearchBar *bar)
{
  lc_search_bar_go (bar, TRUE);
}

static gboolean
search_bar_on_key (GtkEventControllerKey *keys, guint key, guint code, GdkModifierType state, LcSearchBar *bar)
{
  if ((key != GDK_KEY_Return && key != GDK_KEY_KP_Enter) || (state & GDK_SHIFT_MASK) == 0)
    return FALSE;
  lc_search_bar_go (bar, TRUE);
  return TRUE;
}

static void
search_bar_on_stopped (LcSearchBar *bar)
{
  search_bar_forget (bar);
  show_note (bar, NULL, FALSE);
  show_count (bar);
  gtk_search_bar_set_search_mode (bar->bar, FALSE);
  if (bar->before != NULL && gtk_widget_get_mapped (bar->before))
    gtk_widget_grab_focus (bar->before);
}

static void
on_example (LcSearchBar *bar, GtkListBoxRow *row)
{
  const char *example, *meaning, *text = gtk_editable_get_text (GTK_EDITABLE (bar->entry));
  g_autofree char *both = NULL;

  if (lc_search_query_get_key ((guint)gtk_list_box_row_get_index (row), &example, &meaning) == NULL)
    return;
  both = *text != '\0' ? g_strconcat (text, " ", example, NULL) : g_strdup (example);
  gtk_editable_set_text (GTK_EDITABLE (bar->entry), both);
  gtk_popover_popdown (bar->help);
  gtk_widget_grab_focus (GTK_WIDGET (bar->entry));
  gtk_editable_set_position (GTK_EDITABLE (bar->entry), -1);
}

/* --- The widget -------------------------------------------------------------------------------------------------- */

static void
fill_examples (LcSearchBar *bar)
{
  const char *example, *meaning;

  for (guint i = 0; lc_search_query_get_key (i, &example, &meaning) != NULL; i++)
    {
      GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
      GtkWidget *left = lc_label_new (example), *right = lc_label_new (meaning);

      gtk_widget_add_css_class (left, "monospace");
      gtk_label_set_xalign (GTK_LABEL (left), 0);
      gtk_label_set_width_chars (GTK_LABEL (left), 17);
      gtk_label_set_xalign (GTK_LABEL (right), 0);
      gtk_widget_add_css_class (right, "dim-label");
      gtk_box_append (GTK_BOX (row), left);
      gtk_box_append (GTK_BOX (row), right);
      gtk_list_box_append (bar->examples, row);
    }
}

static void
lc_search_bar_dispose (GObject *object)
{
  LcSearchBar *bar = LC_SEARCH_BAR (object);
  GtkWidget *child;

  if (bar->all != NULL)
    search_bar_forget (bar);
  g_clear_weak_pointer (&bar->before);
  g_clear_pointer (&bar->all, lc_job_free);
  g_clear_pointer (&bar->next, lc_job_free);
  g_clear_pointer (&bar->names, lc_search_names_unref);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (bar))) != NULL)
    gtk_widget_unparent (child);
  g_clear_object (&bar->session);
  G_OBJECT_CLASS (lc_search_bar_parent_class)->dispose (object);
}

static void
lc_search_bar_class_init (LcSearchBarClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = lc_search_bar_dispose;
  gtk_widget_class_set_layout_manager_type (widget, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget, LC_RESOURCES "search-bar.ui");
  gtk_widget_class_bind_template_child (widget, LcSearchBar, bar);
  gtk_widget_class_bind_template_child (widget, LcSearchBar, entry);
  gtk_widget_class_bind_template_child (widget, LcSearchBar, count);
  gtk_widget_class_bind_template_child (widget, LcSearchBar, progress);
  gtk_widget_class_bind_template_child (widget, LcSearchBar, note);
  gtk_widget_class_bind_template_child (widget, LcSearchBar, examples);
  gtk_widget_class_bind_template_child (widget, LcSearchBar, help);
  gtk_widget_class_bind_template_callback (widget, search_bar_on_text);
  gtk_widget_class_bind_template_callback (widget, search_bar_on_entered);
  gtk_widget_class_bind_template_callback (widget, on_previous);
  gtk_widget_class_bind_template_callback (widget, search_bar_on_key);
  gtk_widget_class_bind_template_callback (widget, search_bar_on_stopped);
  gtk_widget_class_bind_template_callback (widget, on_example);
}

static void
lc_search_bar_init (LcSearchBar *bar)
{
  bar->all = lc_job_new (bar, on_all, search_bar_on_tick, (GDestroyNotify)lc_search_answer_free);
  bar->next = lc_job_new (bar, on_next, NULL, g_free);
  gtk_widget_init_template (GTK_WIDGET (bar));
  gtk_search_bar_connect_entry (bar->bar, GTK_EDITABLE (bar->entry));
  fill_examples (bar);
}

GtkWidget *
lc_search_bar_new (LcSession *session)
{
  LcSearchBar *bar = g_object_new (LC_TYPE_SEARCH_BAR, NULL);

  bar->session = g_object_ref (session);
  g_signal_connect_object (session, "changed", G_CALLBACK (search_bar_on_changed), bar, 0);
  return GTK_WIDGET (bar);
}

/* --- Actions ----------------------------------------------------------------------------------------------------- */

static void
search_bar_search (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  LcSearchBar *bar = data;

  if (lc_session_get_shown (bar->session) != NULL)
    lc_search_bar_open (bar, parameter != NULL ? g_variant_get_string (parameter, NULL) : NULL);
}

static void
search_bar_go_on (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  lc_search_bar_go (data, FALSE);
}

static void
search_bar_go_back (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  lc_search_bar_go (data, TRUE);
}

void
lc_search_bar_add_actions (LcSearchBar *bar, GActionMap *window)
{
  static const GActionEntry entries[] = {
      {.name = "search", .activate = search_bar_search},
      {.name = "search-for", .activate = search_bar_search, .parameter_type = "s"},
      {.name = "search-next", .activate = search_bar_go_on},
      {.name = "search-previous", .activate = search_bar_go_back},
  };

  g_action_map_add_action_entries (window, entries, G_N_ELEMENTS (entries), bar);
}
