/* SPDX-License-Identifier: Apache-2.0 */
/* Reads from a binary trace when its processes were off their processors. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "ctf.h"
#include "switch-files.h"

/* The index of all packs takes no more than 256 MiB. */
#define MOST_PACKS (1u << 23)

/* How many absences are read at once. */
#define CTF_ABSENCES 128

typedef struct
{
  LcAbsences base;
  const LcCtf *ctf;
  const LcCtfStream *stream;
  guint next, end; /* packs */
  guint32 number;  /* of the file of the current pack */
  guint32 left;    /* absences of this pack that are to be read ... */
  guint64 place;   /* ... and where they are */
  guint64 last;    /* ticks: when the last one ended */
  guint32 at, n;   /* those that have been read */
  struct lc_absence_record records[CTF_ABSENCES];
} CtfAbsences;

/* --- Finding -------------------------------------------------------------------------------------------------- */

static void
ctf_switches_add_pack (LcTrace *trace, const LcSwitchFile *file)
{
  LcCtf *ctf = trace->data;
  const LcCtfSwitchPack pack = {.thread = file->pack.thread,
                                .file = ctf->switch_files->len - 1,
                                .count = file->pack.count,
                                .place = file->place,
                                .begin = file->pack.begin};

  if (pack.count > 0)
    g_array_append_val (ctf->switch_packs, pack);
}

static void
ctf_switches_read_file (LcTrace *trace, LcSwitchFile *file, const char *name)
{
  LcCtf *ctf = trace->data;
  guint64 lost = 0;

  ctf->is_refused |= file->header.refused != 0;
  g_ptr_array_add (ctf->switch_files, g_strdup (name));
  while (ctf->switch_packs->len < MOST_PACKS && lc_switch_file_next (file))
    {
      ctf_switches_add_pack (trace, file);
      if (__builtin_add_overflow (lost, file->pack.lost, &lost))
        lost = G_MAXINT64;
    }
  if (file->is_unread)
    lc_problems_count (trace->problems, LC_PROBLEM_FILE_UNREADABLE, name, file->next, NULL);
  else if (file->is_damaged)
    lc_problems_count (trace->problems, LC_PROBLEM_BAD_SWITCHES, name, file->next, NULL);
  else if (file->next < file->size)
    lc_problems_count (trace->problems, LC_PROBLEM_SWITCHES_TOO_LARGE, name, file->next, NULL);
  if (lost > 0)
    lc_problems_count (trace->problems, LC_PROBLEM_SWITCHES_LOST, name, 0, "%" G_GUINT64_FORMAT " of them", lost);
  if (file->header.end == 0)
    lc_problems_count (trace->problems, LC_PROBLEM_SWITCHES_OPEN, name, 0, NULL);
}

static void
ctf_switches_open_file (LcTrace *trace, const char *name)
{
  const LcCtf *ctf = trace->data;
  g_auto (LcSwitchFile) file = {.file = -1};
  g_autoptr (GError) error = NULL;

  if (!lc_switch_file_open (&file, ctf->base, name, &error))
    lc_problems_count (trace->problems,
                       error->domain == G_FILE_ERROR ? LC_PROBLEM_FILE_UNREADABLE : LC_PROBLEM_SWITCHES_DAMAGED, name,
                       0, "%s", error->message);
  else if (ctf->has_uuid && memcmp (file.header.uuid, ctf->uuid, sizeof ctf->uuid) != 0)
    lc_problems_count (trace->problems, LC_PROBLEM_SWITCHES_DAMAGED, name, 16, "another recording's");
  else
    ctf_switches_read_file (trace, &file, name);
}

static int
ctf_switches_compare (gconstpointer a, gconstpointer b)
{
  const LcCtfSwitchPack *left = a, *right = b;

  if (left->thread != right->thread)
    return left->thread < right->thread ? -1 : 1;
  if (left->begin != right->begin)
    return left->begin < right->begin ? -1 : 1;
  return left->file != right->file ? (left->file < right->file ? -1 : 1)
                                   : (left->place > right->place) - (left->place < right->place);
}

/* When a process began, by the system's number of its thread. */
typedef struct
{
  guint32 thread, process;
  guint64 begin;
} ThreadLife;

static int
ctf_switches_compare_lives (gconstpointer a, gconstpointer b)
{
  const ThreadLife *left = a, *right = b;

  if (left->thread != right->thread)
    return left->thread < right->thread ? -1 : 1;
  return left->begin < right->begin ? -1 : left->begin > right->begin;
}

/* The system gives the number of a thread that has ended to another one, and one that executes another program keeps
 * it. */
static void
ctf_switches_limit (LcTrace *trace)
{
  const LcCtf *ctf = trace->data;
  g_autoptr (GArray) lives = g_array_new (FALSE, FALSE, sizeof (ThreadLife));

  for (guint32 i = 0; i < trace->processes->len; i++)
    {
      LcCtfStream *stream = &g_array_index (ctf->by_process, LcCtfStream, i);
      const LcTraceProcess *process = &g_array_index (trace->processes, LcTraceProcess, i);
      const ThreadLife life = {process->thread, i, stream->begin};

      stream->absent_until = G_MAXUINT64;
      if (stream->ended != 0 || process->state == LC_STATE_ENDED)
        stream->absent_until = MAX (stream->ended, stream->end);
      g_array_append_val (lives, life);
    }
  g_array_sort (lives, ctf_switches_compare_lives);
  for (guint i = 1; i < lives->len; i++)
    {
      const ThreadLife *life = &g_array_index (lives, ThreadLife, i), *before = life - 1;
      LcCtfStream *stream = &g_array_index (ctf->by_process, LcCtfStream, before->process);

      if (life->thread == before->thread)
        stream->absent_until = MIN (stream->absent_until, life->begin);
    }
}

void
lc_ctf_find_switches (LcTrace *trace)
{
  LcCtf *ctf = trace->data;
  g_autoptr (GArray) files = lc_ctf_list_numbered (trace, LC_SWITCHES_PREFIX);

  ctf->switch_files = g_ptr_array_new_with_free_func (g_free);
  ctf->switch_packs = g_array_new (FALSE, FALSE, sizeof (LcCtfSwitchPack));
  for (guint i = 0; i < files->len; i++)
    ctf_switches_open_file (trace, g_array_index (files, LcNumberedFile, i).name);
  g_array_sort (ctf->switch_packs, ctf_switches_compare);
  ctf_switches_limit (trace);
}

/* --- Reading -------------------------------------------------------------------------------------------------- */

/* The first pack of this thread or a later one. */
static guint
ctf_switches_find_first (const LcCtf *ctf, guint64 thread)
{
  guint low = 0, high = ctf->switch_packs->len;

  while (low < high)
    {
      const guint middle = low + (high - low) / 2;

      if (g_array_index (ctf->switch_packs, LcCtfSwitchPack, middle).thread < thread)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

LcAbsences *
lc_ctf_absences_open (LcTrace *trace, guint32 process, GError **error G_GNUC_UNUSED)
{
  const LcCtf *ctf = trace->data;
  const guint64 thread = g_array_index (trace->processes, LcTraceProcess, process).thread;
  const guint first = ctf_switches_find_first (ctf, thread), end = ctf_switches_find_first (ctf, thread + 1);
  CtfAbsences *absences;

  if (ctf->switch_files->len == 0 || (ctf->is_refused && first == end))
    return NULL;
  absences = g_new0 (CtfAbsences, 1);
  absences->ctf = ctf;
  absences->stream = &g_array_index (ctf->by_process, LcCtfStream, process);
  absences->next = first;
  absences->end = end;
  absences->last = absences->stream->begin;
  return &absences->base;
}

/* Reads what comes next of a pack; the file may have become shorter. No file stays open: there may be very many
 * processes. */
static gboolean
ctf_absences_read (CtfAbsences *absences, GError **error)
{
  const LcCtf *ctf = absences->ctf;
  const guint32 wanted = MIN (absences->left, CTF_ABSENCES);
  guint64 size;
  gssize got;
  int fd = lc_folder_open_file (ctf->base, ctf->switch_files->pdata[absences->number], &size, error);

  if (fd < 0)
    return FALSE;
  got = lc_file_read (fd, absences->records, wanted * sizeof *absences->records, absences->place);
  if (got < 0)
    lc_folder_set_error (ctf->base, ctf->switch_files->pdata[absences->number], errno, error);
  close (fd);
  absences->at = 0;
  absences->n = (guint32)(MAX (got, 0) / (gssize)sizeof *absences->records);
  absences->left = absences->n == wanted ? absences->left - wanted : 0;
  absences->place += absences->n * sizeof *absences->records;
  return got >= 0;
}

/* FALSE: there are no more, or `problem` is set. */
static gboolean
ctf_absences_load (CtfAbsences *absences, GError **problem)
{
  while (absences->at == absences->n)
    {
      if (absences->left == 0 && absences->next == absences->end)
        return FALSE;
      if (absences->left == 0)
        {
          const LcCtfSwitchPack *pack = &g_array_index (absences->ctf->switch_packs, LcCtfSwitchPack, absences->next++);

          absences->number = pack->file;
          absences->left = pack->count;
          absences->place = pack->place;
        }
      if (!ctf_absences_read (absences, problem))
        return FALSE;
    }
  return TRUE;
}

/* FALSE: it is not one of the process's. */
static gboolean
ctf_absences_understand (CtfAbsences *absences, const struct lc_absence_record *record, guint64 place,
                         LcAbsence *result)
{
  const LcTrace *trace = absences->base.trace;
  const guint64 until = absences->stream->absent_until;
  guint64 end;

  if (record->begin < absences->stream->begin || record->begin >= until)
    return FALSE;
  if (__builtin_add_overflow (record->begin, record->length & ~LC_ABSENCE_READY, &end) ||
      record->begin < absences->last || record->begin > lc_timescale_last (&trace->timescale))
    {
      lc_problems_count (trace->problems, LC_PROBLEM_BAD_ABSENCE, absences->ctf->switch_files->pdata[absences->number],
                         place, NULL);
      return FALSE;
    }
  absences->last = end;
  result->begin = (gint64)lc_timescale_ns (&trace->timescale, record->begin);
  result->end = (gint64)lc_timescale_ns (&trace->timescale, MIN (end, until));
  result->kind = (record->length & LC_ABSENCE_READY) != 0 ? LC_ABSENCE_PREEMPTED : LC_ABSENCE_BLOCKED;
  return TRUE;
}

gssize
lc_ctf_absences_next (LcAbsences *base, LcAbsence *next, gsize room, GError **error)
{
  CtfAbsences *absences = (CtfAbsences *)base;
  GError *problem = NULL;
  gsize found = 0;

  while (found < room && ctf_absences_load (absences, &problem))
    {
      const guint64 place = absences->place - (absences->n - absences->at) * sizeof *absences->records;

      found += ctf_absences_understand (absences, &absences->records[absences->at], place, &next[found]);
      absences->at++;
    }
  if (problem == NULL)
    return (gssize)found;
  lc_problems_count (base->trace->problems, LC_PROBLEM_FILE_UNREADABLE,
                     absences->ctf->switch_files->pdata[absences->number], absences->place, "%s", problem->message);
  g_propagate_error (error, problem);
  return -1;
}

void
lc_ctf_absences_close (LcAbsences *base)
{
  g_free (base);
}
