/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the history of a trace: only when needed, and all of it or nothing. */
#include "lightcone/merge.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "aside.h"
#include "describe.h"
#include "freshness.h"
#include "lightcone/clock-correction.h"
#include "names-kept.h"
#include "places-before.h"
#include "schema.h"
#include "placing.h"
#include "store.h"
#include "uses.h"

#define HISTORY "history.lightcone"
#define PATIENCE (10 * G_TIME_SPAN_SECOND) /* how long to wait for others, who may never unlock the file */
#define TICK (G_TIME_SPAN_SECOND / 10)

enum
{
  PAGE_SIZE = 8192,
};

/* --- Its place --------------------------------------------------------------------------------------------------- */

/* Whether a folder is there and can be written to, or can be made. */
static gboolean
merge_can_make (const char *folder)
{
  g_autofree char *at = g_strdup (folder);

  while (access (at, F_OK) != 0 && (errno == ENOENT || errno == EACCES) && !g_str_equal (at, "/"))
    {
      char *parent = g_path_get_dirname (at);

      g_free (at);
      at = parent;
    }
  return access (at, W_OK | X_OK) == 0 && g_file_test (at, G_FILE_TEST_IS_DIR);
}

/* Gives the folder for a user who has no home, or may not write there: one among temporary files, of this user only. */
static char *
merge_dup_shelter (void)
{
  g_autofree char *name = g_strdup_printf ("lightcone-%u", (guint)geteuid ());

  return g_build_filename (g_get_tmp_dir (), name, NULL);
}

static char *
dup_path_in_cache (const char *directory)
{
  g_autofree char *cache = g_build_filename (g_get_user_cache_dir (), "lightcone", NULL);
  g_autofree char *shelter = merge_can_make (cache) ? NULL : merge_dup_shelter ();
  g_autofree char *absolute = realpath (directory, NULL);
  g_autofree char *canonical = absolute != NULL ? g_strdup (absolute) : g_canonicalize_filename (directory, NULL);
  g_autofree char *checksum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, canonical, -1);
  g_autofree char *name = g_strconcat (checksum, ".lightcone", NULL);

  return g_build_filename (shelter != NULL ? shelter : cache, "histories", name, NULL);
}

char *
lc_merge_dup_path (const char *directory)
{
  g_return_val_if_fail (directory != NULL, NULL);
  if (access (directory, W_OK | X_OK) == 0 || access (directory, F_OK) != 0)
    return g_build_filename (directory, HISTORY, NULL);
  return dup_path_in_cache (directory);
}

char *
lc_merge_dup_user_rules (void)
{
  return g_build_filename (g_get_user_data_dir (), "lightcone", "rules", NULL);
}

char *
lc_merge_dup_trace_rules (const char *directory)
{
  return g_build_filename (directory, "rules", NULL);
}

/* Whoever has become another user has often kept that one's home, and cannot have put rules there. */
static gboolean
merge_is_out_of_reach (const char *path)
{
  return access (path, F_OK) != 0 && errno == EACCES;
}

/* Later rules replace earlier ones of the same name, so that a trace's own win over the user's. */
static LcRules *
merge_load_rules (const char *directory, const char *const *files, const LcRulesFile *instead, GError **error)
{
  g_autoptr (LcRules) rules = lc_rules_new ();
  g_autofree char *users = lc_merge_dup_user_rules (), *own = lc_merge_dup_trace_rules (directory);

  if ((!merge_is_out_of_reach (users) && !lc_rules_load_directory (rules, users, instead, error)) ||
      !lc_rules_load_directory (rules, own, instead, error))
    return NULL;
  for (gsize i = 0; files != NULL && files[i] != NULL; i++)
    if (!lc_rules_load (rules, files[i], error))
      return NULL;
  return lc_rules_check (rules, error) ? g_steal_pointer (&rules) : NULL;
}

LcRules *
lc_merge_load_rules (const char *directory, const char *const *files, GError **error)
{
  return merge_load_rules (directory, files, NULL, error);
}

gboolean
lc_merge_check_rules (const char *directory, const char *const *files, const LcRulesFile *instead, GError **error)
{
  g_autoptr (LcRules) rules = merge_load_rules (directory, files, instead, error);

  return rules != NULL;
}

/* --- Progress ---------------------------------------------------------------------------------------------------- */

typedef struct
{
  const LcMergeOptions *options;
  const LcWriter *writer;
  guint64 total;  /* events that the trace seems to have */
  guint64 events; /* events swept */
  gint64 begin, told;
} Progress;

static gboolean
merge_tell (Progress *progress, gint64 now)
{
  double elapsed = (double)(now - progress->begin) / G_TIME_SPAN_SECOND;
  LcMergeProgress report = {.events = progress->events, .seconds_left = -1};

  report.fraction = progress->total > 0 ? MIN (1, (double)progress->events / (double)progress->total) : 0;
  if (progress->events > 0 && elapsed >= 0.3)
    report.seconds_left = elapsed / (double)progress->events * (double)progress->total * (1 - report.fraction);
  progress->told = now;
  return progress->options->report (&report, progress->options->data);
}

/* Called by the sweep; FALSE stops it. */
static gboolean
merge_go_on (guint64 events, gpointer data)
{
  Progress *progress = data;
  gint64 now = g_get_monotonic_time ();

  progress->events = events;
  if (!lc_writer_can_write (progress->writer) || g_cancellable_is_cancelled (progress->options->cancellable))
    return FALSE;
  return progress->options->report == NULL || now - progress->told < TICK || merge_tell (progress, now);
}

/* --- Making it --------------------------------------------------------------------------------------------------- */

static gboolean
set_cancelled (GError **error)
{
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "cancelled");
  return FALSE;
}

/* The first and the last report are made here; the sweep makes those in between. */
static gboolean
tell_now (Progress *progress, guint64 events)
{
  progress->told = 0;
  return merge_go_on (events, progress);
}

/* Sweeps the trace, then waits until everything has been written. */
static gboolean
merge_run (LcWriter *writer, LcDescription *from, LcSweepResult *swept, const LcMergeOptions *options, GError **error)
{
  LcSweepVisitor *const early = lc_early_reads_new (from->trace, from->rules);
  LcSweepVisitor *const mismatches = lc_mismatches_new (from->trace);
  LcSweepVisitor *const visitors[] = {lc_writer_get_visitor (writer), early, mismatches, NULL};
  Progress progress = {.options = options, .writer = writer, .begin = g_get_monotonic_time ()};
  const LcSweepPart part = {.most_events = options->most_events, .growing = from->growing};
  gboolean good;

  for (guint32 i = 0; i < lc_trace_get_n_processes (from->trace); i++)
    progress.total += lc_trace_count_events (from->trace, i);
  if (part.most_events > 0)
    progress.total = MIN (progress.total, part.most_events);
  good = tell_now (&progress, 0) &&
         lc_sweep_run_part (from->trace, from->rules, &part, visitors, merge_go_on, &progress, swept, NULL);
  from->early = lc_early_reads_list (early);
  lc_early_reads_free (early);
  from->mismatches = lc_mismatches_list (mismatches, swept->cut);
  lc_mismatches_free (mismatches);
  if (!good)
    lc_writer_abandon (writer);
  lc_writer_finish (writer);
  while (!lc_writer_wait (writer, g_get_monotonic_time () + TICK))
    if (good && !merge_go_on (swept->events, &progress))
      {
        good = FALSE;
        lc_writer_abandon (writer);
      }
  if (!lc_writer_check (writer, error))
    return FALSE;
  return good && tell_now (&progress, swept->events) ? TRUE : set_cancelled (error);
}

/* Waits until it is known where events come from. */
static gboolean
merge_place (LcPlacing *placing, LcDescription *from, const LcSweepResult *swept, const LcMergeOptions *options,
             GError **error)
{
  Progress progress = {.options = options, .writer = from->writer, .events = swept->events, .total = swept->events};
  LcWhere *where;

  progress.begin = progress.told = g_get_monotonic_time ();
  while (!lc_placing_wait (placing, g_get_monotonic_time () + TICK))
    if (!merge_go_on (swept->events, &progress))
      return set_cancelled (error);
  from->where = where = lc_placing_get (placing, error);
  if (where == NULL)
    return FALSE;
  lc_uses_name (lc_writer_get_uses (from->writer), from->trace, where);
  if (from->names != NULL)
    lc_given_names_apply (from->names, from->trace, where);
  return TRUE;
}

static gboolean
merge_fill (LcDatabase *database, LcDescription *from, const LcMergeOptions *options, LcMergeResult *result,
            GError **error)
{
  g_autoptr (LcPlacing) placing = NULL;
  g_autoptr (LcWriter) writer = NULL;
  LcSweepResult swept = {0};
  gboolean good;

  if (!lc_schema_create (database, LC_SCHEMA_HISTORY, error))
    return FALSE;
  writer = lc_writer_new (database, from->trace, from->rules, LC_COLUMN_MEASURED, error);
  if (writer == NULL)
    return FALSE;
  placing = lc_placing_new (from->trace, from->before);
  from->writer = writer;
  from->swept = &swept;
  good = merge_run (writer, from, &swept, options, error) && merge_place (placing, from, &swept, options, error) &&
         lc_describe (database, from, &result->problems, error) && lc_database_commit (database, error);
  if (good)
    {
      LcTraceLost lost;

      lc_trace_get_lost (from->trace, &lost);
      result->lost = lost.n;
    }
  result->cut = swept.cut;
  result->events = swept.events;
  result->arcs = swept.arcs;
  result->layers = swept.layers;
  lc_sweep_result_clear (&swept);
  g_clear_pointer (&from->early, g_array_unref);
  g_clear_pointer (&from->mismatches, g_array_unref);
  return good;
}

/* Anybody can make a folder among temporary files: one that is not ours only is not used. */
static gboolean
merge_check_shelter (const char *path, GError **error)
{
  g_autofree char *shelter = merge_dup_shelter (), *within = g_strconcat (shelter, "/", NULL);
  struct stat status;

  if (!g_str_has_prefix (path, within))
    return TRUE;
  if ((mkdir (shelter, 0700) == 0 || errno == EEXIST) && lstat (shelter, &status) == 0 && S_ISDIR (status.st_mode) &&
      status.st_uid == geteuid () && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0)
    return TRUE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED,
               _ ("%s: not a folder of this user only, so no history is kept in it; set XDG_CACHE_HOME to a folder "
                  "that can be written to"),
               shelter);
  return FALSE;
}

static gboolean
merge_make_folder (const char *path, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (path);

  if (!merge_check_shelter (path, error))
    return FALSE;
  if (g_mkdir_with_parents (folder, 0700) == 0)
    return TRUE;
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "%s: %s", folder, g_strerror (errno));
  return FALSE;
}

/* Locks the old file: programs that add to it wait for the new one, and one that is adding now is waited for. */
static gboolean
merge_publish (LcAside *aside, LcHistoryFile **held, const char *path, gint64 time, LcMergeResult *result,
               GError **error)
{
  if (*held == NULL || !lc_history_file_is_current (*held))
    {
      lc_history_file_unref (*held);
      *held = lc_history_file_lock (path, PATIENCE, NULL);
    }
  return lc_aside_publish (aside, time, &result->bytes, error);
}

/* What the history that is to be replaced knows of files of code that may have changed since. */
static LcPlacesBefore *
merge_find_before (const char *path, LcTrace *trace, const char *fingerprint, const LcGivenNames *names)
{
  g_autoptr (LcHistoryFile) file = lc_trace_get_n_stacks (trace) > 0 ? lc_history_file_open (path, NULL) : NULL;

  return file != NULL ? lc_places_before_new (file, trace, fingerprint, names) : NULL;
}

static gboolean
merge_make (const char *directory, const char *path, const LcRules *rules, const char *checksum,
            const LcGivenNames *names, const LcFingerprint *fingerprint, const LcMergeOptions *options,
            LcMergeResult *result, GError **error)
{
  g_autoptr (LcTrace) trace = lc_trace_open (directory, error);
  g_autoptr (LcAside) aside = NULL;
  g_autoptr (LcHistoryFile) held = NULL;
  g_autoptr (LcPlacesBefore) before = NULL;
  LcDescription from = {.trace = trace,
                        .rules = rules,
                        .rules_checksum = checksum,
                        /* The history of a trace that is being recorded leaves out problems that only mean "not there
                         * yet", so this fingerprint never matches. */
                        .fingerprint = fingerprint->busy ? "growing" : fingerprint->sizes,
                        .names = names,
                        .growing = fingerprint->busy};
  LcDatabase *database;
  gboolean good;

  if (trace == NULL || !merge_make_folder (path, error))
    return FALSE;
  before = merge_find_before (path, trace, fingerprint->sizes, names);
  from.before = before != NULL ? lc_places_before_get (before) : NULL;
  held = lc_history_file_lock (path, 0, NULL);
  aside = lc_aside_new (path, error);
  database = aside != NULL
                 ? lc_database_create (lc_aside_get_descriptor (aside), lc_aside_get_path (aside), PAGE_SIZE, error)
                 : NULL;
  if (database == NULL)
    return FALSE;
  good = merge_fill (database, &from, options, result, error);
  lc_database_close (database);
  if (good && g_cancellable_is_cancelled (options->cancellable))
    good = set_cancelled (error);
  result->made = TRUE;
  result->growing = fingerprint->busy;
  return good && merge_publish (aside, &held, path, fingerprint->taken, result, error);
}

static LcHistoryFile *
open_if_good (const char *path, const LcFingerprint *fingerprint, const char *checksum, const LcGivenNames *names,
              LcMergeResult *result)
{
  g_autoptr (LcHistoryFile) file = lc_history_file_open (path, NULL);

  return file != NULL && lc_history_is_good (file, fingerprint, checksum, names, result) ? g_steal_pointer (&file)
                                                                                         : NULL;
}

/* The owner of a trace that we may only read may have merged it already. */
static LcHistoryFile *
find_good (const char *directory, const LcFingerprint *fingerprint, const char *checksum, const LcGivenNames *names,
           LcMergeResult *result)
{
  g_autofree char *usual = lc_merge_dup_path (directory), *own = g_build_filename (directory, HISTORY, NULL);
  LcHistoryFile *file = open_if_good (own, fingerprint, checksum, names, result);

  if (file == NULL && !g_str_equal (own, usual))
    file = open_if_good (usual, fingerprint, checksum, names, result);
  return file;
}

/* Finds the names that are asked for, or else those of the history that is there. */
static gboolean
merge_find_names (const char *directory, const char *asked, LcGivenNames **names, GError **error)
{
  g_autofree char *usual = lc_merge_dup_path (directory), *own = g_build_filename (directory, HISTORY, NULL);
  const char *const paths[] = {own, usual};
  g_autoptr (GError) wrong = NULL;
  gboolean said;

  if (!lc_names_asked (asked, &said, names, error))
    return FALSE;
  for (gsize i = 0; !said && wrong == NULL && i < G_N_ELEMENTS (paths); i++)
    {
      g_autoptr (LcHistoryFile) file = lc_history_file_open (paths[i], NULL);

      said = file != NULL && lc_names_kept (file, names, &wrong);
    }
  if (wrong == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&wrong));
  return FALSE;
}

gboolean
lc_merge_name (const char *directory, const char *asked, const LcTrace *trace, LcWhere *where, GError **error)
{
  g_autoptr (LcGivenNames) names = NULL;

  if (!merge_find_names (directory, asked, &names, error))
    return FALSE;
  if (names != NULL)
    lc_given_names_apply (names, trace, where);
  return TRUE;
}

/* Returns the file of an up-to-date history, which is made if there is none. */
static LcHistoryFile *
merge_provide (const char *directory, const LcMergeOptions *options, LcMergeResult *result, GError **error)
{
  static const LcMergeOptions none = {0};
  const LcMergeOptions *of = options != NULL ? options : &none;
  g_auto (LcFingerprint) fingerprint = {0};
  g_autoptr (LcRules) rules = lc_merge_load_rules (directory, of->rules, error);
  g_autoptr (LcGivenNames) names = NULL;
  g_autofree char *checksum = NULL, *path = NULL;
  LcHistoryFile *file = NULL;
  gint64 begun = g_get_monotonic_time ();

  *result = (LcMergeResult){0};
  if (rules == NULL || !merge_find_names (directory, of->names, &names, error))
    return NULL;
  g_return_val_if_fail ((of->most_events > 0) == (of->path != NULL), NULL);
  checksum = lc_rules_dup_checksum (rules);
  lc_fingerprint_take (&fingerprint, directory);
  if (!of->again && of->most_events == 0)
    file = find_good (directory, &fingerprint, checksum, names, result);
  if (file != NULL)
    {
      g_debug ("%s: the history that is there is up to date", directory);
      return file;
    }
  path = of->most_events > 0 ? g_strdup (of->path) : lc_merge_dup_path (directory);
  *result = (LcMergeResult){0};
  if (of->most_events == 0 && !fingerprint.busy)
    {
      if (!lc_clocks_correct (directory, rules, of->cancellable, error))
        return NULL;
      lc_fingerprint_clear (&fingerprint);
      lc_fingerprint_take (&fingerprint, directory);
    }
  if (!merge_make (directory, path, rules, checksum, names, &fingerprint, of, result, error))
    return NULL;
  g_debug ("%s: merged into %s in %.1f ms", directory, path, (double)(g_get_monotonic_time () - begun) / 1e3);
  return lc_history_file_open (path, error);
}

gboolean
lc_merge (const char *directory, const LcMergeOptions *options, LcMergeResult *result, GError **error)
{
  g_autoptr (LcHistoryFile) file = NULL;
  LcMergeResult own;

  g_return_val_if_fail (directory != NULL, FALSE);
  file = merge_provide (directory, options, result != NULL ? result : &own, error);
  return file != NULL;
}

LcHistory *
lc_merge_open (const char *directory, const LcMergeOptions *options, GError **error)
{
  g_autoptr (LcHistoryFile) file = NULL;
  LcMergeResult result;

  g_return_val_if_fail (directory != NULL, NULL);
  file = merge_provide (directory, options, &result, error);
  return file != NULL ? lc_history_open_file (file, error) : NULL;
}
