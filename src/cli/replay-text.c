/* SPDX-License-Identifier: Apache-2.0 */
/* Says how a replay ended: where it differs from what was recorded, or who waits for whom. */
#include "replay-text.h"

#include <glib/gi18n.h>
#include <string.h>

#include "report/format.h"
#include "lightcone/where.h"
#include "trace/operations.h"
#include "where/library-code.h"
#include "where/resolver.h"

/* --- Places in the code --------------------------------------------------------------------------------------- */

/* Returns the innermost frame that is not a library's, as sites elsewhere are named: calls of C++'s locks are inlined
 * from headers of its library. The innermost one, if all are a library's; NULL: none is known. */
static const LcFrame *
replay_choose_frame (GArray *frames, const char *path)
{
  for (guint i = 0; i < frames->len; i++)
    {
      const LcFrame *frame = &g_array_index (frames, LcFrame, i);

      if (frame->function != NULL && !lc_is_library_code (path, frame->function, frame->file))
        return frame;
    }
  return frames->len > 0 && g_array_index (frames, LcFrame, 0).function != NULL ? &g_array_index (frames, LcFrame, 0)
                                                                                : NULL;
}

/* Gives " in put() pipe.c:7 (bin/pipe+0x1234)": the module and the offset are known in any case. */
static char *
replay_describe_code (const char *path, const char *build_id, guint64 offset)
{
  g_autoptr (LcResolver) resolver = lc_resolver_new (path, build_id, NULL);
  g_autoptr (GArray) frames = lc_resolver_frames_new ();
  g_autofree char *base = g_path_get_basename (path), *module = lc_format_text (base), *file = NULL, *function = NULL;
  g_autofree char *place = g_strdup_printf ("%s+0x%" G_GINT64_MODIFIER "x", module, offset);
  const LcFrame *frame;

  lc_resolver_find (resolver, offset, FALSE, frames);
  frame = replay_choose_frame (frames, path);
  if (frame == NULL)
    return g_strdup_printf (_ (" at %s"), place);
  function = lc_format_text (frame->function);
  if (frame->file == NULL)
    return g_strdup_printf (_ (" in %s() (%s)"), function, place);
  g_free (base);
  base = g_path_get_basename (frame->file);
  file = lc_format_text (base);
  return g_strdup_printf (_ (" in %s() %s:%u (%s)"), function, file, frame->line, place);
}

char *
lc_replay_text_site (LcTrace *trace, guint32 number)
{
  const LcTraceSite *site = number < lc_trace_get_n_sites (trace) ? lc_trace_get_site (trace, number) : NULL;
  const LcTraceModule *module =
      site != NULL && site->module != LC_TRACE_NONE ? lc_trace_get_module (trace, site->module) : NULL;

  return module != NULL ? replay_describe_code (module->path, module->build_id, site->offset) : g_strdup ("");
}

void
lc_replay_text_name (LcTrace *trace)
{
  g_autoptr (LcWhere) where = lc_where_new (trace, NULL, NULL, NULL);

  if (where != NULL)
    lc_where_name_trace (where, trace);
}

/* --- Events --------------------------------------------------------------------------------------------------- */

/* What the program shares may be damaged, so numbers in it are looked at before they are used. A name must not look
 * like a line of its own. */
static char *
replay_dup_process_name (LcTrace *trace, struct lc_replay_header *plan, guint32 thread)
{
  guint32 process = lc_replay_plan_threads (plan)[thread].process;

  return lc_format_text (process < lc_trace_get_n_processes (trace) ? lc_trace_get_process (trace, process)->name : "");
}

const char *
lc_replay_text_operation (guint32 operation)
{
  const char *name = operation < LC_OPERATION_END ? lc_operations[operation].name : NULL;

  return name != NULL ? name : "?";
}

/* Gives "worker 2 #17". */
static char *
replay_describe_place (LcTrace *trace, struct lc_replay_header *plan, guint32 thread, guint64 ordinal)
{
  g_autofree char *name = replay_dup_process_name (trace, plan, thread);

  return g_strdup_printf ("%s #%" G_GUINT64_FORMAT, name, ordinal);
}

/* Gives the object of an operation as " mutex queue", or the process that it is of. */
static char *
replay_describe_object (LcTrace *trace, struct lc_replay_header *plan, guint32 object)
{
  g_autofree char *name = NULL, *shown = NULL;

  if (object >= plan->n_objects)
    return g_strdup ("");
  if (object < plan->n_threads)
    shown = replay_dup_process_name (trace, plan, object);
  else
    {
      guint32 number = lc_replay_plan_objects (plan)[object].object;

      name = number < lc_trace_get_n_objects (trace) ? lc_trace_dup_object_name (trace, number) : g_strdup ("");
      shown = lc_format_text (name);
    }
  return g_strdup_printf (" %s", shown);
}

static const struct lc_replay_event *
replay_event_of (struct lc_replay_header *plan, guint32 thread, guint64 number)
{
  return lc_replay_plan_event (plan, &lc_replay_plan_threads (plan)[thread], number);
}

static char *
replay_describe_event (LcTrace *trace, struct lc_replay_header *plan, const struct lc_replay_event *event)
{
  g_autofree char *object = replay_describe_object (trace, plan, event->object);
  g_autofree char *site = lc_replay_text_site (trace, event->site);

  return g_strdup_printf ("%s%s%s", lc_replay_text_operation (event->operation), object, site);
}

/* --- Differences ---------------------------------------------------------------------------------------------- */

static const char *
replay_build_id_of (LcTrace *trace, const char *path)
{
  for (guint32 i = 0; i < lc_trace_get_n_modules (trace); i++)
    if (strcmp (lc_trace_get_module (trace, i)->path, path) == 0)
      return lc_trace_get_module (trace, i)->build_id;
  return NULL;
}

const char *
lc_replay_text_why (guint difference)
{
  switch (difference)
    {
    case LC_REPLAY_OPERATION:
      return _ ("another operation came");
    case LC_REPLAY_OBJECT:
      return _ ("it came to another object");
    case LC_REPLAY_SITE:
      return _ ("it came from another place in the code");
    case LC_REPLAY_OUTCOME:
      return _ ("it had another result");
    case LC_REPLAY_UNKNOWN:
      return _ ("the recording does not tell the order of what came");
    default:
      return _ ("nothing more was recorded");
    }
}

static char *
replay_describe_came (LcTrace *trace, struct lc_replay_header *plan)
{
  g_autofree char *object = replay_describe_object (trace, plan, plan->came_object);
  g_autofree char *site = NULL;

  plan->came_module[sizeof plan->came_module - 1] = '\0';
  if (plan->came_module[0] != '\0')
    site = replay_describe_code (plan->came_module, replay_build_id_of (trace, plan->came_module), plan->came_offset);
  if (object[0] == '\0' && plan->came_address != 0)
    {
      g_free (object);
      object = g_strdup (_ (" of an object that is not known"));
    }
  return g_strdup_printf ("%s%s%s", lc_replay_text_operation (plan->came_operation), object, site != NULL ? site : "");
}

/* What the difference must lie between is the event before and the one that should have come. */
char *
lc_replay_text_difference (LcTrace *trace, struct lc_replay_header *plan)
{
  const struct lc_replay_thread *thread = &lc_replay_plan_threads (plan)[plan->thread];
  guint64 next = thread->next;
  const struct lc_replay_event *event = replay_event_of (plan, plan->thread, next);
  const struct lc_replay_event *before = next > 0 ? replay_event_of (plan, plan->thread, next - 1) : NULL;
  g_autofree char *expected = NULL, *came = NULL, *last = NULL, *place = NULL;
  guint64 ordinal;

  lc_replay_text_name (trace);
  expected = event != NULL ? replay_describe_event (trace, plan, event) : g_strdup (_ ("nothing"));
  came = replay_describe_came (trace, plan);
  last = before != NULL ? replay_describe_event (trace, plan, before) : g_strdup (_ ("its begin"));
  ordinal = event != NULL ? event->ordinal : before != NULL ? before->ordinal + 1 : 0;
  place = replay_describe_place (trace, plan, plan->thread, ordinal);
  return g_strdup_printf (_ ("%s: %s\n"
                             "  recorded: %s\n"
                             "  came:     %s\n"
                             "  before:   %s"),
                          place, lc_replay_text_why (plan->difference), expected, came, last);
}

/* --- Waiting -------------------------------------------------------------------------------------------------- */

/* Finds the thread, other than the one that waits, that is nearest to a step of the object, as its event. NULL: nobody
 * else has one to come. */
static const struct lc_replay_event *
replay_find_step (struct lc_replay_header *plan, guint32 waiting, guint32 object, guint32 *thread)
{
  const struct lc_replay_event *found = NULL;
  guint64 nearest = G_MAXUINT64;

  for (guint32 i = 0; i < plan->n_threads; i++)
    {
      const struct lc_replay_thread *here = &lc_replay_plan_threads (plan)[i];
      guint64 first = here->state == LC_REPLAY_GATHERING ? here->next + 1 : here->next;

      for (guint64 j = first; i != waiting && j < here->n_events && j - here->next < nearest; j++)
        {
          const struct lc_replay_event *event = replay_event_of (plan, i, j);

          if (event == NULL)
            break;
          if (event->object != object || (!event->is_step && event->operation != LC_BARRIER))
            continue;
          found = event;
          nearest = j - here->next;
          *thread = i;
        }
    }
  return found;
}

/* An index is the program's own: why nobody brings it is not in the plan. */
static void
replay_append_awaiting (GString *text, LcTrace *trace, struct lc_replay_header *plan, guint32 thread)
{
  const struct lc_replay_thread *here = &lc_replay_plan_threads (plan)[thread];
  const struct lc_replay_event *event = replay_event_of (plan, thread, here->next);
  g_autofree char *what = replay_describe_event (trace, plan, event);
  g_autofree char *place = replay_describe_place (trace, plan, thread, event->ordinal);
  g_autofree char *awaited = g_strdup_printf ("%" G_GUINT64_FORMAT, here->index);
  g_autofree char *recorded = g_strdup_printf ("%" G_GUINT64_FORMAT, event->sequence);

  if (event->operation == LC_AWAIT && event->sequence != here->index)
    g_string_append_printf (text, _ ("  %s waits for index %s, and not for %s as it did: %s\n"), place, awaited,
                            recorded, what);
  else
    g_string_append_printf (text, _ ("  %s waits for index %s, which nobody brings: %s\n"), place, awaited, what);
}

static void
replay_append_waiting (GString *text, LcTrace *trace, struct lc_replay_header *plan, guint32 thread)
{
  const struct lc_replay_thread *here = &lc_replay_plan_threads (plan)[thread];
  const struct lc_replay_event *event = replay_event_of (plan, thread, here->next), *step;
  g_autofree char *what = replay_describe_event (trace, plan, event), *missing = NULL, *comer = NULL;
  g_autofree char *place = replay_describe_place (trace, plan, thread, event->ordinal);
  guint32 other = thread;

  step = replay_find_step (plan, thread, event->object, &other);
  g_string_append_printf (text, _ ("  %s waits for its turn: %s\n"), place, what);
  if (step == NULL)
    return;
  missing = replay_describe_event (trace, plan, step);
  comer = replay_describe_place (trace, plan, other, step->ordinal);
  g_string_append_printf (text, _ ("    %s would have had to come: %s\n"), comer, missing);
}

char *
lc_replay_text_stuck (LcTrace *trace, struct lc_replay_header *plan, guint most)
{
  GString *text = g_string_new (NULL);
  guint told = 0;

  lc_replay_text_name (trace);
  for (guint32 i = 0; i < plan->n_threads && told < most; i++)
    {
      const struct lc_replay_thread *thread = &lc_replay_plan_threads (plan)[i];

      if (replay_event_of (plan, i, thread->next) == NULL)
        continue;
      if (thread->state == LC_REPLAY_AWAITING)
        replay_append_awaiting (text, trace, plan, i);
      else if (thread->state == LC_REPLAY_WAITING || thread->state == LC_REPLAY_GATHERING)
        replay_append_waiting (text, trace, plan, i);
      else
        continue;
      told++;
    }
  return g_string_free (text, FALSE);
}

char *
lc_replay_text_elsewhere (LcTrace *trace, struct lc_replay_header *plan, guint most)
{
  GString *text = g_string_new (NULL);
  guint told = 0;

  lc_replay_text_name (trace);
  for (guint32 i = 0; i < plan->n_threads && told < most; i++)
    {
      g_autofree char *name = NULL;

      if (lc_replay_plan_threads (plan)[i].state != LC_REPLAY_RUNNING)
        continue;
      name = replay_dup_process_name (trace, plan, i);
      g_string_append_printf (text, _ ("  %s waits elsewhere, for what has no turns\n"), name);
      told++;
    }
  return g_string_free (text, FALSE);
}

char *
lc_replay_text_short (LcTrace *trace, struct lc_replay_header *plan, guint most)
{
  GString *text = g_string_new (NULL);
  guint told = 0;

  lc_replay_text_name (trace);
  for (guint32 i = 0; i < plan->n_threads && told < most; i++)
    {
      const struct lc_replay_thread *thread = &lc_replay_plan_threads (plan)[i];
      const struct lc_replay_event *event = replay_event_of (plan, i, thread->next);
      g_autofree char *what = event != NULL ? replay_describe_event (trace, plan, event) : NULL, *place = NULL;

      if (event == NULL)
        continue;
      place = replay_describe_place (trace, plan, i, event->ordinal);
      g_string_append_printf (text, _ ("  %s did not come: %s\n"), place, what);
      told++;
    }
  return g_string_free (text, FALSE);
}

char *
lc_replay_text_stops (LcTrace *trace, struct lc_replay_header *plan)
{
  GString *text = g_string_new (NULL);

  lc_replay_text_name (trace);
  for (guint32 i = 0; i < plan->n_threads; i++)
    {
      const struct lc_replay_thread *thread = &lc_replay_plan_threads (plan)[i];
      const struct lc_replay_event *event = thread->next > 0 ? replay_event_of (plan, i, thread->next - 1) : NULL;
      g_autofree char *what = event != NULL ? replay_describe_event (trace, plan, event) : NULL, *place = NULL;

      if (thread->state == LC_REPLAY_UNBORN || thread->state == LC_REPLAY_ENDED)
        continue;
      if (event == NULL)
        {
          place = replay_dup_process_name (trace, plan, i);
          g_string_append_printf (text, _ ("  %s stops at its begin\n"), place);
          continue;
        }
      place = replay_describe_place (trace, plan, i, event->ordinal);
      g_string_append_printf (text, _ ("  %s was the last: %s\n"), place, what);
    }
  return g_string_free (text, FALSE);
}

char *
lc_replay_text_next (LcTrace *trace, struct lc_replay_header *plan)
{
  GString *text = g_string_new (NULL);

  lc_replay_text_name (trace);
  for (guint32 i = 0; i < plan->n_threads; i++)
    {
      const struct lc_replay_thread *thread = &lc_replay_plan_threads (plan)[i];
      const struct lc_replay_event *event = replay_event_of (plan, i, thread->next);
      g_autofree char *what = event != NULL ? replay_describe_event (trace, plan, event) : NULL, *place = NULL;

      if (thread->state == LC_REPLAY_UNBORN || thread->state == LC_REPLAY_ENDED)
        continue;
      place = event != NULL ? replay_describe_place (trace, plan, i, event->ordinal)
                            : replay_dup_process_name (trace, plan, i);
      if (event != NULL)
        g_string_append_printf (text, _ ("  %s is next: %s\n"), place, what);
      else
        g_string_append_printf (text, _ ("  %s has done all that was recorded\n"), place);
    }
  return g_string_free (text, FALSE);
}

/* --- Other code ----------------------------------------------------------------------------------------------- */

char **
lc_replay_text_list_changed (LcTrace *trace)
{
  GPtrArray *changed = g_ptr_array_new ();

  for (guint32 i = 0; i < lc_trace_get_n_modules (trace); i++)
    {
      const LcTraceModule *module = lc_trace_get_module (trace, i);
      g_autofree char *name = g_path_get_basename (module->path);
      gboolean is_ours = g_str_has_prefix (name, "liblightcone-"); /* the recorder, which is not in a replay */
      g_autoptr (LcCodeFile) file =
          module->build_id != NULL && !is_ours ? lc_code_file_open (module->path, module->build_id, NULL) : NULL;

      if (file != NULL && (file->state == LC_CODE_OTHER || file->state == LC_CODE_MISSING))
        g_ptr_array_add (changed, g_strdup (module->path));
    }
  g_ptr_array_add (changed, NULL);
  return (char **)g_ptr_array_free (changed, FALSE);
}
