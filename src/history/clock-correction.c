/* SPDX-License-Identifier: Apache-2.0 */
/* Finds by how much the clocks of several hosts must be shifted for no arc between them to point backwards. */
#include "lightcone/clock-correction.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "freshness.h"
#include "lightcone/sweep.h"
#include "trace/folder.h"

#define GROUP "clock"
#define NO_ARC G_MAXINT64

/* Bytes of a file of settings: more makes no sense. */
#define SETTINGS_LIMIT (1 << 20)

/* The slack of the arcs between the hosts. The tables have n_hosts rows (from) of n_hosts columns (to). */
typedef struct
{
  LcSweepVisitor visitor;
  GCancellable *cancellable;
  char **folders;
  guint n_hosts;
  guint *hosts;       /* by process */
  gint64 *slack;      /* the least time from an arc's begin to its end, or NO_ARC */
  guint64 *backwards; /* how many arcs have a negative slack */

  /* A barrier may have many members, and each comes after all of them: the last member of each host is enough. */
  gint64 *latest; /* by host; -1: none */
  guint32 object;
  gint64 sequence;
  gsize n_members;
} Arcs;

/* --- Measuring ---------------------------------------------------------------------------------------------------- */

static void
clock_correction_add_arc (Arcs *arcs, guint from, guint to, guint64 begin, guint64 end)
{
  gint64 slack = (gint64)end - (gint64)begin;
  gsize at = (gsize)from * arcs->n_hosts + to;

  if (from == to)
    return;
  arcs->slack[at] = MIN (arcs->slack[at], slack);
  arcs->backwards[at] += slack < 0;
}

static void
find_latest (Arcs *arcs, const LcSweepStep *step)
{
  const LcSweepGroup *group = step->group;

  if (arcs->object == step->event->object && arcs->sequence == step->event->sequence &&
      arcs->n_members == group->n_members)
    return;
  arcs->object = step->event->object;
  arcs->sequence = step->event->sequence;
  arcs->n_members = group->n_members;
  for (guint i = 0; i < arcs->n_hosts; i++)
    arcs->latest[i] = -1;
  for (gsize i = 0; i < group->n_members; i++)
    {
      gint64 *latest = &arcs->latest[arcs->hosts[group->members[i].process]];

      *latest = MAX (*latest, (gint64)group->members[i].time);
    }
}

static void
clock_correction_end_event (LcSweepVisitor *visitor, const LcSweepStep *step)
{
  Arcs *arcs = (Arcs *)visitor;
  guint to = arcs->hosts[step->process];

  if (step->group == NULL)
    {
      for (gsize i = 0; i < step->n_arcs; i++)
        clock_correction_add_arc (arcs, arcs->hosts[step->arcs[i].process], to, step->arcs[i].time, step->event->end);
      return;
    }
  find_latest (arcs, step);
  for (guint i = 0; i < arcs->n_hosts; i++)
    if (arcs->latest[i] >= 0)
      clock_correction_add_arc (arcs, i, to, (guint64)arcs->latest[i], step->event->end);
}

static guint
find_host (const Arcs *arcs, const char *host)
{
  for (guint i = 0; i < arcs->n_hosts; i++)
    if (g_strcmp0 (arcs->folders[i] + strlen (LC_PART_PREFIX), host) == 0)
      return i;
  return 0;
}

static void
arcs_init (Arcs *arcs, LcTrace *trace, char **folders, GCancellable *cancellable)
{
  guint32 n = lc_trace_get_n_processes (trace);

  *arcs = (Arcs){.visitor = {.end = clock_correction_end_event}, .cancellable = cancellable, .folders = folders};
  arcs->n_hosts = g_strv_length (folders);
  arcs->hosts = g_new (guint, n);
  for (guint32 i = 0; i < n; i++)
    arcs->hosts[i] = find_host (arcs, lc_trace_get_process (trace, i)->host);
  arcs->slack = g_new (gint64, (gsize)arcs->n_hosts * arcs->n_hosts);
  for (gsize i = 0; i < (gsize)arcs->n_hosts * arcs->n_hosts; i++)
    arcs->slack[i] = NO_ARC;
  arcs->backwards = g_new0 (guint64, (gsize)arcs->n_hosts * arcs->n_hosts);
  arcs->latest = g_new (gint64, arcs->n_hosts);
  arcs->object = LC_TRACE_NONE;
}

static void
arcs_clear (Arcs *arcs)
{
  g_free (arcs->hosts);
  g_free (arcs->slack);
  g_free (arcs->backwards);
  g_free (arcs->latest);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Arcs, arcs_clear)

static gboolean
go_on (guint64 events, gpointer data)
{
  const Arcs *arcs = data;

  return !g_cancellable_is_cancelled (arcs->cancellable);
}

static gboolean
clock_correction_measure (Arcs *arcs, LcTrace *trace, const LcRules *rules, GError **error)
{
  LcSweepVisitor *const visitors[] = {&arcs->visitor, NULL};
  LcSweepResult swept;
  gboolean good = lc_sweep_run (trace, rules, visitors, go_on, arcs, &swept, error);

  lc_sweep_result_clear (&swept);
  return good;
}

/* --- Solving ------------------------------------------------------------------------------------------------------ */

/* An arc from p to q with this slack demands shift[p] - shift[q] <= slack. Goes over all pairs once, lowering shift[p]
 * where it must; TRUE if any has changed. */
static gboolean
clock_correction_lower (const Arcs *arcs, gint64 *shifts)
{
  gboolean changed = FALSE;

  for (guint p = 0; p < arcs->n_hosts; p++)
    for (guint q = 0; q < arcs->n_hosts; q++)
      {
        gint64 slack = arcs->slack[p * arcs->n_hosts + q];

        if (slack == NO_ARC || shifts[p] - shifts[q] <= slack)
          continue;
        shifts[p] = shifts[q] + slack;
        changed = TRUE;
      }
  return changed;
}

/* Satisfies the same demands by raising shift[q]; hosts that no arc from a known host reaches stay unknown. */
static gboolean
raise_others (const Arcs *arcs, gint64 *shifts, gboolean *known)
{
  gboolean changed = FALSE;

  for (guint p = 0; p < arcs->n_hosts; p++)
    for (guint q = 0; known[p] && q < arcs->n_hosts; q++)
      {
        gint64 slack = arcs->slack[p * arcs->n_hosts + q];

        if (slack == NO_ARC || (known[q] && shifts[p] - shifts[q] <= slack))
          continue;
        shifts[q] = shifts[p] - slack;
        known[q] = TRUE;
        changed = TRUE;
      }
  return changed;
}

/*
 * Finds the least shifts with 0 for the reference: first each host is put forward only as far as the reference demands,
 * then back only as far as it must. FALSE: there are none, because clocks that run irregularly contradict any
 * constant.
 */
static gboolean
clock_correction_solve (const Arcs *arcs, guint reference, gint64 *shifts)
{
  g_autofree gboolean *known = g_new0 (gboolean, arcs->n_hosts);
  gboolean changed = TRUE;

  memset (shifts, 0, arcs->n_hosts * sizeof *shifts);
  known[reference] = TRUE;
  for (guint i = 0; changed && i <= arcs->n_hosts; i++)
    changed = raise_others (arcs, shifts, known);
  if (changed)
    return FALSE;
  for (guint i = 0; i < arcs->n_hosts; i++)
    shifts[i] = MAX (shifts[i], 0);
  changed = TRUE;
  for (guint i = 0; changed && i <= arcs->n_hosts; i++)
    changed = clock_correction_lower (arcs, shifts);
  return !changed;
}

/* --- Keeping ------------------------------------------------------------------------------------------------------ */

static char *
clock_correction_dup_path (const char *directory)
{
  return g_build_filename (directory, LC_CLOCK_FILE, NULL);
}

/* A trace may have anything in the place of a file. */
static GKeyFile *
clock_correction_read (LcFolder *folder, const char *name)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autofree char *text = NULL;
  gsize length;

  if (folder == NULL || !lc_folder_read (folder, name, SETTINGS_LIMIT, &text, &length, NULL) ||
      !g_key_file_load_from_data (file, text, length, G_KEY_FILE_NONE, NULL))
    return NULL;
  return g_steal_pointer (&file);
}

static GKeyFile *
clock_correction_load (const char *directory)
{
  g_autoptr (LcFolder) folder = lc_folder_open (directory, NULL);

  return clock_correction_read (folder, LC_CLOCK_FILE);
}

static gboolean
is_reference (const char *directory, const char *part)
{
  g_autoptr (LcFolder) whole = lc_folder_open (directory, NULL);
  g_autoptr (LcFolder) folder = whole != NULL ? lc_folder_open_inner (whole, part, NULL) : NULL;
  g_autoptr (GKeyFile) file = clock_correction_read (folder, "trace.ini");

  return file != NULL && g_key_file_get_boolean (file, GROUP, "reference", NULL);
}

static guint
clock_correction_find_reference (const Arcs *arcs, const char *directory)
{
  for (guint i = 0; i < arcs->n_hosts; i++)
    if (is_reference (directory, arcs->folders[i]))
      return i;
  return 0;
}

static void
describe_host (const Arcs *arcs, guint host, gint64 shift, GKeyFile *file)
{
  guint64 count = 0;
  gint64 least = 0;

  for (guint i = 0; i < arcs->n_hosts; i++)
    {
      gsize from = (gsize)host * arcs->n_hosts + i, to = (gsize)i * arcs->n_hosts + host;

      count += arcs->backwards[from] + arcs->backwards[to];
      least = MIN (least, MIN (arcs->slack[from], arcs->slack[to]));
    }
  if (shift == 0 && count == 0)
    return;
  g_key_file_set_int64 (file, arcs->folders[host], "shift", shift);
  g_key_file_set_uint64 (file, arcs->folders[host], "arcs", count);
  g_key_file_set_int64 (file, arcs->folders[host], "most", -least);
}

static void
clock_correction_keep (const Arcs *arcs, const char *directory)
{
  g_autofree gint64 *shifts = g_new (gint64, arcs->n_hosts);
  g_autofree char *path = clock_correction_dup_path (directory);
  g_autoptr (GKeyFile) file = g_key_file_new ();
  gboolean backwards = FALSE;

  for (gsize i = 0; i < (gsize)arcs->n_hosts * arcs->n_hosts; i++)
    backwards |= arcs->backwards[i] > 0;
  if (!backwards || !clock_correction_solve (arcs, clock_correction_find_reference (arcs, directory), shifts))
    return;
  for (guint i = 0; i < arcs->n_hosts; i++)
    describe_host (arcs, i, shifts[i], file);
  g_key_file_save_to_file (file, path, NULL);
}

/* Removes shifts that were found before a part was changed. FALSE: the shifts that exist stay. */
static gboolean
forget_old (const char *directory)
{
  g_autoptr (GKeyFile) file = clock_correction_load (directory);
  g_autofree char *path = clock_correction_dup_path (directory);
  g_auto (LcFingerprint) fingerprint = {0};

  if (file == NULL)
    return TRUE;
  if (g_key_file_has_key (file, GROUP, "correct", NULL) && !g_key_file_get_boolean (file, GROUP, "correct", NULL))
    return FALSE;
  lc_fingerprint_take (&fingerprint, directory);
  return fingerprint.newest_part > fingerprint.clocks && unlink (path) == 0;
}

/* --- The interface ------------------------------------------------------------------------------------------------ */

gboolean
lc_clocks_correct (const char *directory, const LcRules *rules, GCancellable *cancellable, GError **error)
{
  g_auto (GStrv) folders = NULL;
  g_autoptr (LcTrace) trace = NULL;
  g_auto (Arcs) arcs = {{0}};

  g_return_val_if_fail (directory != NULL && rules != NULL, FALSE);
  folders = lc_trace_list_parts (directory);
  if (g_strv_length (folders) < 2 || !forget_old (directory))
    return TRUE;
  trace = lc_trace_open (directory, error);
  if (trace == NULL)
    return FALSE;
  arcs_init (&arcs, trace, folders, cancellable);
  if (!clock_correction_measure (&arcs, trace, rules, error))
    return FALSE;
  clock_correction_keep (&arcs, directory);
  return TRUE;
}

gboolean
lc_clocks_decline (const char *directory, GError **error)
{
  g_auto (GStrv) folders = lc_trace_list_parts (directory);
  g_autofree char *path = clock_correction_dup_path (directory);
  g_autoptr (GKeyFile) file = g_key_file_new ();

  if (g_strv_length (folders) < 2)
    return TRUE;
  g_key_file_set_boolean (file, GROUP, "correct", FALSE);
  return g_key_file_save_to_file (file, path, error);
}

static void
clear_host (gpointer data)
{
  g_free (((LcHostCorrection *)data)->host);
}

GArray *
lc_clocks_list (const char *directory)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (LcHostCorrection));
  g_auto (GStrv) folders = lc_trace_list_parts (directory);
  g_autoptr (GKeyFile) file = *folders != NULL ? clock_correction_load (directory) : NULL;

  g_array_set_clear_func (list, clear_host);
  for (char **folder = folders; file != NULL && *folder != NULL; folder++)
    if (g_key_file_has_group (file, *folder))
      {
        LcHostCorrection host = {
            .host = g_strdup (*folder + strlen (LC_PART_PREFIX)),
            .shift = g_key_file_get_int64 (file, *folder, "shift", NULL),
            .arcs = g_key_file_get_uint64 (file, *folder, "arcs", NULL),
            .most = g_key_file_get_uint64 (file, *folder, "most", NULL),
        };

        g_array_append_val (list, host);
      }
  return list;
}
