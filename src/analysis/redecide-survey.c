/* SPDX-License-Identifier: Apache-2.0 */
/* Finds in one sweep what can be decided again without a deadlock: locks, work, and blind receives. */
#include "redecide-private.h"

#include <string.h>

typedef struct
{
  guint32 object;
  gint64 sequence;
  gboolean reads;
} Hold;

/* A process during the sweep. */
typedef struct
{
  GArray *holds;    /* Hold: sections that it is in */
  guint32 object;   /* the object that has handed out its present piece of work; or LC_TRACE_NONE */
  gint64 number;    /* number of that piece */
  guint64 inside;   /* regions entered in the piece */
  gboolean movable; /* the piece may move, so far */
} Process;

typedef struct
{
  LcSweepVisitor visitor;
  LcSurvey *survey;
  LcBlindPolicy blind;
  Process *processes;
  GHashTable *nested; /* object -> set of the objects in whose sections it was taken */
  const GPtrArray *works;
  gboolean liberal;
  GCancellable *cancellable;
} Surveyor;

/* --- Roles ------------------------------------------------------------------------------------------------------- */

static gboolean
is_operation (const LcTraceOperation *operation, const char *name)
{
  return strcmp (operation->name, name) == 0;
}

/* Whether a piece of work with such an event must stay on its process. */
static gboolean
is_bound (const LcTraceOperation *operation, const LcRole *role)
{
  static const char *const bound[] = {"thread", "barrier", "collective", "channel", "crew", "task", NULL};

  if (operation->class_name == NULL)
    return !role->counts;
  if (strcmp (operation->class_name, "condition") == 0)
    return role->waits;
  if (strcmp (operation->class_name, "team") == 0)
    return !role->hands_out;
  return g_strv_contains (bound, operation->class_name);
}

static gboolean
is_failed_attempt (const LcTraceOperation *operation)
{
  static const char *const names[] = {"lock-failed", "wait-failed", "read-failed", "write-failed", NULL};

  return g_strv_contains (names, operation->name);
}

static gboolean
is_plain_arc (const LcArcRule *arc)
{
  return arc->decided && arc->from_point == LC_POINT_END && !arc->counted && strcmp (arc->from, arc->to) != 0;
}

/* Whether events of the operation are the next ones after a number of others that did not exclude each other. */
static gboolean
is_writer (const GPtrArray *arcs, const char *operation)
{
  for (guint i = 0; i < arcs->len; i++)
    {
      const LcArcRule *arc = arcs->pdata[i];

      if (arc->decided && arc->counted && arc->step == 1 && strcmp (arc->to, operation) == 0)
        return TRUE;
    }
  return FALSE;
}

/* Whether somebody writes next after an event of the operation. */
static gboolean
is_before_writer (const GPtrArray *arcs, const char *operation, gboolean counted)
{
  for (guint i = 0; i < arcs->len; i++)
    {
      const LcArcRule *arc = arcs->pdata[i];

      if (arc->decided && arc->step == 1 && arc->counted == counted && strcmp (arc->from, operation) == 0 &&
          is_writer (arcs, arc->to))
        return TRUE;
    }
  return FALSE;
}

static gboolean
is_after_write (const GPtrArray *arcs, const char *operation)
{
  for (guint i = 0; i < arcs->len; i++)
    {
      const LcArcRule *arc = arcs->pdata[i];

      if (is_plain_arc (arc) && arc->step == 0 && strcmp (arc->to, operation) == 0 &&
          is_before_writer (arcs, arc->from, FALSE))
        return TRUE;
    }
  return FALSE;
}

/* Tells the operations of a crew from those of locks and pools, whose arcs theirs consist of. */
static void
describe_crew_role (const GPtrArray *arcs, const char *operation, LcRole *role)
{
  role->writes = role->waits && is_writer (arcs, operation);
  role->reads = role->draws && is_after_write (arcs, operation);
  role->ends_write = is_before_writer (arcs, operation, FALSE);
  role->ends_read = is_before_writer (arcs, operation, TRUE);
  if (role->writes || role->reads || role->ends_write || role->ends_read)
    role->takes = role->gives = role->draws = role->adds = FALSE;
}

static void
describe_role (LcSurvey *survey, const LcRules *rules, const LcTraceOperation *operation, LcRole *role)
{
  const GPtrArray *arcs = lc_rules_get_arcs (rules), *works = lc_rules_get_works (rules);
  const LcOperationRule *rule = lc_rules_get_operation (rules, operation->name);
  gboolean only_decided = TRUE, only_tokens = TRUE, is_from = FALSE,
           is_of_channel = g_strcmp0 (operation->class_name, "channel") == 0;

  for (guint i = 0; i < arcs->len; i++)
    {
      const LcArcRule *arc = arcs->pdata[i];
      gboolean is_plain = is_plain_arc (arc);
      gboolean is_turn = is_plain && arc->step == 1, is_token = is_plain && arc->step == 0;

      if (is_operation (operation, arc->to) && !arc->soft)
        {
          role->waits = TRUE;
          only_decided = only_decided && is_turn;
          only_tokens = only_tokens && is_token;
        }
      if (is_operation (operation, arc->from))
        {
          is_from = TRUE;
          role->gives |= is_turn;
          role->adds |= is_token;
          role->sends |= is_of_channel && arc->kind == LC_ARC_DATA && arc->from_point == LC_POINT_BEGIN;
        }
    }
  role->takes = role->waits && only_decided;
  role->draws = role->waits && only_tokens;
  role->fails = is_failed_attempt (operation);
  describe_crew_role (arcs, operation->name, role);
  role->receives = role->waits && is_of_channel && rule != NULL && rule->timing == LC_TIMING_MESSAGE;
  role->looks = rule != NULL && rule->timing == LC_TIMING_PROBE;
  role->counts = !role->waits && !is_from;
  for (guint i = 0; i < works->len; i++)
    role->hands_out |= is_operation (operation, ((const LcWorkRule *)works->pdata[i])->operation);
  role->staying = is_bound (operation, role) || (rule != NULL && rule->members);
}

/* --- Locks ------------------------------------------------------------------------------------------------------- */

static void
redecide_survey_keep (LcSurvey *survey, guint32 object)
{
  survey->objects[object].flags |= LC_OBJECT_KEPT;
}

/* Counts an event of a lock; sequence numbers must come one after the other. */
static void
count_in_turn (LcSurveyed *object, const LcTraceEvent *event)
{
  if (!(event->flags & LC_TRACE_EVENT_SEQUENCE) || event->flags & (LC_EVENT_UNKNOWN | LC_EVENT_OWNER_DIED) ||
      (object->numbers.count > 0 &&
       (object->numbers.last == G_MAXINT64 || event->sequence != object->numbers.last + 1)))
    object->flags |= LC_OBJECT_KEPT;
  if (object->numbers.count++ == 0)
    object->numbers.first = event->sequence;
  object->numbers.last = event->sequence;
}

static void
numbers_add (LcNumbers *numbers, gint64 number)
{
  numbers->first = numbers->count > 0 ? MIN (numbers->first, number) : number;
  numbers->last = numbers->count > 0 ? MAX (numbers->last, number) : number;
  numbers->count++;
}

/* Counts an event that reads: many may read the same version. */
static void
survey_count_read (LcSurveyed *object, const LcTraceEvent *event)
{
  if (!(event->flags & LC_TRACE_EVENT_SEQUENCE) || event->flags & LC_EVENT_UNKNOWN)
    object->flags |= LC_OBJECT_KEPT;
  numbers_add (&object->draws, event->sequence);
}

static void
begin_section (Surveyor *surveyor, Process *process, const LcTraceEvent *event)
{
  LcSurveyed *object = &surveyor->survey->objects[event->object];
  const Hold hold = {event->object, event->sequence, surveyor->survey->roles[event->operation].reads};
  gpointer inner = GUINT_TO_POINTER (event->object);

  object->flags |= LC_OBJECT_LOCK;
  if (hold.reads)
    survey_count_read (object, event);
  else
    count_in_turn (object, event);
  if (process->holds->len > 0 && !g_hash_table_contains (surveyor->nested, inner))
    g_hash_table_insert (surveyor->nested, inner, g_hash_table_new (NULL, NULL));
  for (guint i = 0; i < process->holds->len; i++)
    g_hash_table_add (g_hash_table_lookup (surveyor->nested, inner),
                      GUINT_TO_POINTER (g_array_index (process->holds, Hold, i).object));
  g_array_append_val (process->holds, hold);
}

static void
end_section (Surveyor *surveyor, Process *process, const LcTraceEvent *event)
{
  for (guint i = process->holds->len; i > 0; i--)
    {
      const Hold *hold = &g_array_index (process->holds, Hold, i - 1);

      if (hold->object != event->object)
        continue;
      if (hold->sequence != event->sequence || hold->reads != surveyor->survey->roles[event->operation].ends_read)
        redecide_survey_keep (surveyor->survey, event->object);
      g_array_remove_index (process->holds, i - 1);
      return;
    }
  redecide_survey_keep (surveyor->survey, event->object);
}

/*
 * A lock may be decided if the only waiting in its sections is for locks of a lower rank that may be decided: then its
 * holder gives it back, whatever the order. Locks that are left in the end have a circle below them, or other waiting
 * in their sections.
 */
static void
rank_locks (Surveyor *surveyor)
{
  LcSurvey *survey = surveyor->survey;
  g_autofree guint32 *inner = g_new0 (guint32, MAX (survey->n_objects, 1)); /* by object: unranked locks taken inside */
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (guint32));
  GHashTableIter iter, outers;
  gpointer set, outer;

  g_hash_table_iter_init (&iter, surveyor->nested);
  while (g_hash_table_iter_next (&iter, NULL, &set))
    for (g_hash_table_iter_init (&outers, set); g_hash_table_iter_next (&outers, &outer, NULL);)
      inner[GPOINTER_TO_UINT (outer)]++;
  for (guint32 i = 0; i < survey->n_objects; i++)
    if (inner[i] == 0 && lc_survey_is_open (survey, i, LC_OBJECT_LOCK))
      g_array_append_val (found, i);
  for (guint i = 0; i < found->len; i++)
    {
      set = g_hash_table_lookup (surveyor->nested, GUINT_TO_POINTER (g_array_index (found, guint32, i)));
      if (set == NULL)
        continue;
      for (g_hash_table_iter_init (&outers, set); g_hash_table_iter_next (&outers, &outer, NULL);)
        {
          guint32 object = GPOINTER_TO_UINT (outer);

          if (--inner[object] == 0 && lc_survey_is_open (survey, object, LC_OBJECT_LOCK))
            g_array_append_val (found, object);
        }
    }
  for (guint32 i = 0; i < survey->n_objects; i++)
    if (inner[i] > 0)
      redecide_survey_keep (survey, i);
}

/* --- Work and messages ------------------------------------------------------------------------------------------- */

static gboolean
numbers_have_gaps (const LcNumbers *numbers)
{
  return numbers->count == 0 || (guint64)numbers->last - (guint64)numbers->first != numbers->count - 1;
}

static void
count_any (LcSurveyed *object, const LcTraceEvent *event)
{
  if (!(event->flags & LC_TRACE_EVENT_SEQUENCE))
    object->flags |= LC_OBJECT_KEPT;
  numbers_add (&object->numbers, event->sequence);
}

static gboolean
hands_out (Surveyor *surveyor, const LcTraceEvent *event)
{
  LcSurveyed *object = &surveyor->survey->objects[event->object];
  LcTrace *trace = surveyor->survey->trace;
  g_autofree char *name = NULL;

  if (object->flags & LC_OBJECT_ASKED)
    return object->pieces != NULL;
  object->flags |= LC_OBJECT_ASKED;
  name = lc_trace_dup_object_name (trace, event->object);
  for (guint i = 0; i < surveyor->works->len && object->pieces == NULL; i++)
    {
      const LcWorkRule *rule = surveyor->works->pdata[i];

      if (is_operation (lc_trace_get_operation (trace, event->operation), rule->operation) &&
          g_pattern_match_simple (rule->object, name))
        object->pieces = lc_pieces_new ();
    }
  if (object->pieces != NULL)
    object->flags |= LC_OBJECT_WORK;
  return object->pieces != NULL;
}

/* Ends the process's present piece of work, and begins another one. */
static void
begin_piece (Surveyor *surveyor, guint32 number, const LcTraceEvent *event)
{
  Process *process = &surveyor->processes[number];
  LcSurveyed *object = &surveyor->survey->objects[event->object];
  const LcRole *role = &surveyor->survey->roles[event->operation];
  gboolean is_alone = process->holds->len == 0;

  if (process->object == event->object && process->movable && is_alone && process->inside == 0)
    lc_pieces_set_movable (object->pieces, process->number);
  if (role->counts)
    count_any (object, event);
  process->object = event->object;
  process->number = event->sequence;
  process->inside = 0;
  process->movable = is_alone;
  if ((role->counts || role->gives) && event->flags & LC_TRACE_EVENT_SEQUENCE &&
      lc_pieces_add (object->pieces, event->sequence, number))
    return;
  object->flags |= LC_OBJECT_KEPT;
  process->object = LC_TRACE_NONE;
}

static void
look_at_piece (Process *process, const LcTraceEvent *event, const LcRole *role)
{
  if (role->staying)
    process->movable = FALSE;
  if (event->operation == LC_ENTER)
    process->inside++;
  else if (event->operation == LC_LEAVE && process->inside-- == 0)
    process->movable = FALSE;
}

static void
look_at_receive (LcSurveyed *object, guint32 process, const LcTraceEvent *event)
{
  if (!(object->flags & LC_OBJECT_BLIND))
    object->receiver = process;
  if (object->receiver != process)
    object->flags |= LC_OBJECT_KEPT;
  object->flags |= LC_OBJECT_BLIND;
  count_any (object, event);
}

/* --- The sweep --------------------------------------------------------------------------------------------------- */

static void
note_taker (LcSurveyed *object, guint32 process)
{
  if (!(object->flags & LC_OBJECT_LOCK))
    object->taker = process;
  else if (object->taker != process)
    object->flags |= LC_OBJECT_BY_MANY;
}

/* Events of a pool of tokens: whoever takes one takes any. */
static void
look_at_pool (Surveyor *surveyor, guint32 process, const LcTraceEvent *event, const LcRole *role)
{
  LcSurveyed *object = &surveyor->survey->objects[event->object];

  if (!(event->flags & LC_TRACE_EVENT_SEQUENCE) || event->flags & LC_EVENT_UNKNOWN)
    object->flags |= LC_OBJECT_KEPT;
  if (role->adds)
    {
      numbers_add (&object->numbers, event->sequence);
      return;
    }
  if (object->draws.count == 0)
    object->taker = process;
  object->flags |= LC_OBJECT_POOL | (object->taker != process ? LC_OBJECT_BY_MANY : 0);
  numbers_add (&object->draws, event->sequence);
}

/*
 * Who has a read-write lock, or the library's own crew, is decided by time. Which task goes on that depends on a
 * variable is not; how MPI locks a window is its own affair.
 */
static gboolean
look_at_crew (LcSurvey *survey, const LcTraceEvent *event, const LcRole *role)
{
  LcSurveyed *surveyed = &survey->objects[event->object];
  LcTraceObject object;

  if (!role->reads && !role->writes && !role->ends_read && !role->ends_write)
    return FALSE;
  if (surveyed->flags & LC_OBJECT_CREW)
    return TRUE;
  lc_trace_get_object (survey->trace, event->object, &object);
  if (object.kind == LC_KIND_OPENMP || object.kind == LC_KIND_MPI)
    return FALSE;
  surveyed->flags |= LC_OBJECT_CREW | (object.kind == LC_KIND_LIBRARY ? LC_OBJECT_FAIR : 0);
  return TRUE;
}

static void
look_at_locks (Surveyor *surveyor, Process *process, const LcTraceEvent *event, const LcRole *role)
{
  const gboolean is_crew = event->object != LC_TRACE_NONE && look_at_crew (surveyor->survey, event, role);

  if ((is_crew && (role->reads || role->writes)) || (role->takes && event->object != LC_TRACE_NONE))
    {
      note_taker (&surveyor->survey->objects[event->object], (guint32)(process - surveyor->processes));
      begin_section (surveyor, process, event);
      return;
    }
  if (is_crew || (role->gives && event->object != LC_TRACE_NONE))
    end_section (surveyor, process, event);
  if (role->waits)
    for (guint i = 0; i < process->holds->len; i++)
      redecide_survey_keep (surveyor->survey, g_array_index (process->holds, Hold, i).object);
}

static void
redecide_survey_look_at (LcSweepVisitor *visitor, const LcSweepStep *step)
{
  Surveyor *surveyor = (Surveyor *)visitor;
  const LcTraceEvent *event = step->event;
  const LcRole *role = &surveyor->survey->roles[event->operation];
  Process *process = &surveyor->processes[step->process];

  if (surveyor->liberal)
    {
      look_at_locks (surveyor, process, event, role);
      if ((role->draws || role->adds) && event->object != LC_TRACE_NONE)
        look_at_pool (surveyor, step->process, event, role);
      if (process->object != LC_TRACE_NONE)
        look_at_piece (process, event, role);
      if (role->hands_out && event->object != LC_TRACE_NONE && hands_out (surveyor, event))
        begin_piece (surveyor, step->process, event);
    }
  if (surveyor->blind != LC_BLIND_PRESERVE && role->looks && event->object != LC_TRACE_NONE)
    redecide_survey_keep (surveyor->survey, event->object);
  if (surveyor->blind != LC_BLIND_PRESERVE && event->flags & LC_TRACE_EVENT_BLIND && role->receives &&
      event->object != LC_TRACE_NONE)
    look_at_receive (&surveyor->survey->objects[event->object], step->process, event);
}

static gboolean
redecide_survey_go_on (guint64 events, gpointer data)
{
  return !g_cancellable_is_cancelled (((Surveyor *)data)->cancellable);
}

/* Whether the tokens that were there at first and those that were added have numbers without gaps. */
static gboolean
pool_is_sound (const LcSurveyed *object)
{
  const LcNumbers *added = &object->numbers, *drawn = &object->draws;

  return !numbers_have_gaps (drawn) &&
         (added->count == 0 || (!numbers_have_gaps (added) && added->first >= drawn->first));
}

/* Whether all versions that were read are those that were written, or the one before. */
static gboolean
crew_is_sound (const LcSurveyed *object)
{
  const LcNumbers *written = &object->numbers, *read = &object->draws;

  if (read->count == 0)
    return TRUE;
  if (written->count == 0)
    return read->first == read->last && read->last < G_MAXINT64;
  return written->first > G_MININT64 && read->first >= written->first - 1 && read->last <= written->last;
}

static void
conclude_crew (LcSurveyed *object)
{
  if (!crew_is_sound (object))
    object->flags |= LC_OBJECT_KEPT;
  if (object->numbers.count == 0)
    object->flags &= ~(guint32)LC_OBJECT_BY_MANY; /* readers share it: there is nothing to decide */
}

/* Judges what is known only at the end. */
static void
redecide_survey_conclude (Surveyor *surveyor)
{
  LcSurvey *survey = surveyor->survey;

  for (guint32 i = 0; i < lc_trace_get_n_processes (survey->trace); i++)
    for (guint k = 0; k < surveyor->processes[i].holds->len; k++)
      redecide_survey_keep (survey, g_array_index (surveyor->processes[i].holds, Hold, k).object);
  rank_locks (surveyor);
  for (guint32 i = 0; i < survey->n_objects; i++)
    {
      LcSurveyed *object = &survey->objects[i];

      if (object->flags & LC_OBJECT_CREW)
        conclude_crew (object);
      if ((object->flags & LC_OBJECT_BLIND || (object->flags & LC_OBJECT_WORK && !(object->flags & LC_OBJECT_LOCK))) &&
          numbers_have_gaps (&object->numbers))
        redecide_survey_keep (survey, i);
      if (object->flags & LC_OBJECT_POOL && !pool_is_sound (object))
        redecide_survey_keep (survey, i);
    }
}

static void
note_troubles (LcSurvey *survey, const LcSweepResult *swept)
{
  survey->is_all = swept->unmatched + swept->cycles > swept->problems->len;
  for (guint i = 0; i < swept->problems->len; i++)
    {
      const LcSweepProblem *problem = &g_array_index (swept->problems, LcSweepProblem, i);
      g_autofree char *name = g_strdup_printf ("%u:%" G_GUINT64_FORMAT, problem->process, problem->ordinal);

      if (problem->trouble == LC_SWEEP_UNMATCHED || problem->trouble == LC_SWEEP_CYCLE)
        g_hash_table_add (survey->troubles, g_steal_pointer (&name));
    }
}

static gboolean
redecide_survey_sweep (Surveyor *surveyor, const LcRules *rules, GError **error)
{
  LcSweepVisitor *visitors[] = {&surveyor->visitor, NULL};
  LcSurvey *survey = surveyor->survey;
  LcSweepResult swept;
  gboolean done;

  done = lc_sweep_run (survey->trace, rules, visitors, redecide_survey_go_on, surveyor, &swept, error);
  if (done)
    {
      redecide_survey_conclude (surveyor);
      note_troubles (survey, &swept);
    }
  lc_sweep_result_clear (&swept);
  return done;
}

static void
describe_roles (LcSurvey *survey, const LcRules *rules)
{
  guint32 n_operations = lc_trace_get_n_operations (survey->trace);

  survey->roles = g_new0 (LcRole, MAX (n_operations, 1));
  for (guint32 i = 0; i < n_operations; i++)
    {
      const LcTraceOperation *operation = lc_trace_get_operation (survey->trace, i);

      if (operation != NULL)
        describe_role (survey, rules, operation, &survey->roles[i]);
    }
}

LcSurvey *
lc_survey_new (LcTrace *trace, const LcRules *rules, LcModel model, LcBlindPolicy blind, GCancellable *cancellable,
               GError **error)
{
  LcSurvey *survey = g_new0 (LcSurvey, 1);
  Surveyor surveyor = {
      {NULL, redecide_survey_look_at}, survey, blind, .liberal = model == LC_MODEL_LIBERAL, .cancellable = cancellable};
  guint32 n_processes = lc_trace_get_n_processes (trace);
  gboolean done;

  survey->trace = trace;
  survey->n_objects = lc_trace_get_n_objects (trace);
  survey->objects = g_new0 (LcSurveyed, MAX (survey->n_objects, 1));
  survey->troubles = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  describe_roles (survey, rules);
  surveyor.works = lc_rules_get_works (rules);
  surveyor.nested = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify)g_hash_table_unref);
  surveyor.processes = g_new0 (Process, MAX (n_processes, 1));
  for (guint32 i = 0; i < n_processes; i++)
    {
      surveyor.processes[i].object = LC_TRACE_NONE;
      surveyor.processes[i].holds = g_array_new (FALSE, FALSE, sizeof (Hold));
    }
  done = redecide_survey_sweep (&surveyor, rules, error);
  for (guint32 i = 0; i < n_processes; i++)
    g_array_unref (surveyor.processes[i].holds);
  g_free (surveyor.processes);
  g_hash_table_unref (surveyor.nested);
  if (!done)
    g_clear_pointer (&survey, lc_survey_free);
  return survey;
}

void
lc_survey_free (LcSurvey *survey)
{
  if (survey == NULL)
    return;
  for (guint32 i = 0; i < survey->n_objects; i++)
    g_clear_pointer (&survey->objects[i].pieces, lc_pieces_free);
  g_hash_table_unref (survey->troubles);
  g_free (survey->objects);
  g_free (survey->roles);
  g_free (survey);
}

gboolean
lc_survey_is_trouble (const LcSurvey *survey, guint32 process, guint64 ordinal)
{
  g_autofree char *name = g_strdup_printf ("%u:%" G_GUINT64_FORMAT, process, ordinal);

  return survey->is_all || g_hash_table_contains (survey->troubles, name);
}
