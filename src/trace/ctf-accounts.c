/* SPDX-License-Identifier: Apache-2.0 */
/* Reads when the processes of a binary trace ended, and what the kernel said of them. */
#include <string.h>

#include "ctf.h"
#include "records.h"

typedef struct
{
  LcTrace *trace;
  GHashTable *threads; /* of one address space: the system's number -> index of its last process, + 1 */
  guint32 instance;
  guint64 program_end; /* ticks: when a thread ended the address space; 0: nobody did */
  guint64 replaced;    /* ticks: when its system process executed another program; G_MAXUINT64: it did not */
  GArray *accounts;    /* struct lc_account_record of this address space */
} Reading;

static guint64
accounts_get_number (guint64 value)
{
  return value == LC_ACCOUNT_UNKNOWN || value >= LC_TIME_LIMIT ? LC_TRACE_UNKNOWN : value;
}

/* An address space ends at the latest when its system process has executed another program. */
static guint64
accounts_find_next_program (const LcTrace *trace, const LcTraceProcess *process)
{
  const LcCtf *ctf = trace->data;
  guint64 next = G_MAXUINT64;

  for (guint32 i = 0; i < trace->processes->len; i++)
    {
      const LcTraceProcess *other = &g_array_index (trace->processes, LcTraceProcess, i);
      const LcCtfStream *stream = &g_array_index (ctf->by_process, LcCtfStream, i);

      if (other->pid == process->pid && other->instance > process->instance)
        next = MIN (next, stream->begin);
    }
  return next;
}

/* The index of the process, or LC_TRACE_NONE if it is not of this address space. */
static guint32
accounts_find_process (const Reading *reading, const struct lc_account_record *account)
{
  const LcCtf *ctf = reading->trace->data;
  const GArray *processes = reading->trace->processes;
  guint32 index;

  if (account->kind == LC_ACCOUNT_SEEN)
    return GPOINTER_TO_UINT (g_hash_table_lookup (reading->threads, GUINT_TO_POINTER (account->of))) - 1;
  index = lc_ctf_find_process (ctf, account->of);
  if (index == LC_TRACE_NONE || g_array_index (processes, LcTraceProcess, index).instance != reading->instance)
    return LC_TRACE_NONE;
  return index;
}

/* What the thread said of itself counts more than what others saw of it; what they saw after it had executed another
 * program is about that. */
static void
accounts_set (const Reading *reading, const struct lc_account_record *account)
{
  const guint32 index = accounts_find_process (reading, account);
  const LcTimescale *timescale = &reading->trace->timescale;
  LcCtfStream *stream;
  LcTraceAccount *result;
  guint64 asked, used;

  if (index == LC_TRACE_NONE)
    return;
  result = &g_array_index (reading->trace->processes, LcTraceProcess, index).account;
  stream = &g_array_index (((LcCtf *)reading->trace->data)->by_process, LcCtfStream, index);
  if (account->kind == LC_ACCOUNT_SEEN && (result->is_own || account->asked < stream->asked))
    return;
  if (account->kind == LC_ACCOUNT_SEEN && account->asked > reading->replaced)
    {
      stream->ended = account->ended;
      return;
    }
  stream->asked = account->asked;
  result->is_own = account->kind != LC_ACCOUNT_SEEN;
  result->running = accounts_get_number (account->running);
  result->runnable = accounts_get_number (account->runnable);
  result->voluntary = accounts_get_number (account->voluntary);
  result->involuntary = accounts_get_number (account->involuntary);
  result->blocked = LC_TRACE_UNKNOWN;
  if (result->running != LC_TRACE_UNKNOWN && result->runnable != LC_TRACE_UNKNOWN)
    {
      asked = lc_timescale_ns (timescale, account->asked) -
              lc_timescale_ns (timescale, MIN (stream->begin, account->asked));
      used = result->running + result->runnable;
      result->blocked = asked - MIN (asked, used);
    }
  stream->ended = account->ended;
}

/* --- One address space ------------------------------------------------------------------------------------------ */

static void
accounts_read (Reading *reading, LcRecords *records)
{
  LcRecord record;

  while (lc_records_next (records, &record))
    {
      struct lc_account_record account;
      const gsize more = sizeof account - sizeof record.record;

      if (record.record.object_class != LC_CLASS_ACCOUNT || record.record.name_length != more)
        continue;
      memcpy (&account, &record.record, sizeof record.record);
      memcpy ((char *)&account + sizeof record.record, record.name, more);
      g_array_append_val (reading->accounts, account);
      if (account.kind == LC_ACCOUNT_PROGRAM)
        reading->program_end = account.ended;
    }
}

static void
accounts_list_threads (Reading *reading)
{
  const GArray *processes = reading->trace->processes;

  for (guint32 i = 0; i < processes->len; i++)
    {
      const LcTraceProcess *process = &g_array_index (processes, LcTraceProcess, i);

      if (process->instance != reading->instance)
        continue;
      if (g_hash_table_size (reading->threads) == 0)
        reading->replaced = accounts_find_next_program (reading->trace, process);
      g_hash_table_insert (reading->threads, GUINT_TO_POINTER (process->thread), GUINT_TO_POINTER (i + 1));
    }
}

/* Threads that are still there when their address space ends, end with it. */
static void
accounts_end_threads (const Reading *reading)
{
  const GArray *processes = reading->trace->processes;
  const LcCtf *ctf = reading->trace->data;

  for (guint32 i = 0; i < processes->len && reading->program_end != 0; i++)
    {
      const LcTraceProcess *process = &g_array_index (processes, LcTraceProcess, i);
      LcCtfStream *stream = &g_array_index (ctf->by_process, LcCtfStream, i);

      if (process->instance == reading->instance && !process->account.is_own && process->state != LC_STATE_ENDED)
        stream->ended = reading->program_end;
    }
}

static void
accounts_read_instance (LcTrace *trace, const char *file, guint32 instance)
{
  const LcCtf *ctf = trace->data;
  g_autoptr (GHashTable) threads = g_hash_table_new (NULL, NULL);
  g_autoptr (GArray) accounts = g_array_new (FALSE, FALSE, sizeof (struct lc_account_record));
  g_auto (LcRecords) records = {0};
  Reading reading = {trace, threads, instance, 0, G_MAXUINT64, accounts};

  if (!lc_records_open_again (&records, ctf->base, file, trace->problems))
    return;
  accounts_read (&reading, &records);
  if (accounts->len == 0)
    return;
  accounts_list_threads (&reading);
  for (guint i = 0; i < accounts->len; i++)
    accounts_set (&reading, &g_array_index (accounts, struct lc_account_record, i));
  accounts_end_threads (&reading);
}

/* --- All of them ------------------------------------------------------------------------------------------------ */

/* The end of a process is its last event, or comes after it and is not an event of the file. Where it was blocked to
 * the end, in an operation that is told as pending, that comes after the operation's begin: who asked the kernel may
 * have done so before. So it may have done before a rank that did nothing more was ready. */
static void
accounts_end_process (LcTrace *trace, guint32 index)
{
  const LcCtf *ctf = trace->data;
  LcTraceProcess *process = &g_array_index (trace->processes, LcTraceProcess, index);
  LcCtfStream *stream = &g_array_index (ctf->by_process, LcCtfStream, index);
  const struct lc_packet *last = lc_ctf_last_packet (stream);

  if (stream->ended == 0 || last == NULL)
    return;
  process->is_followed = process->parent == LC_TRACE_NONE;
  if (!process->account.is_own)
    stream->ended = MIN (stream->ended, accounts_find_next_program (trace, process));
  if (process->pending.operation != LC_TRACE_NONE)
    stream->ended = MAX (stream->ended, last->pending_begin);
  if (!process->account.is_own)
    stream->ended = MAX (stream->ended, stream->ready);
  if (stream->ended > lc_timescale_last (&trace->timescale))
    {
      lc_problems_count (trace->problems, LC_PROBLEM_TIME_TOO_LARGE, process->file, stream->last.offset, NULL);
      return;
    }
  /* The exit event of a thread has the time of its account. */
  stream->tells_exit = stream->ended > stream->end;
  if (stream->tells_exit)
    process->end = lc_timescale_ns (&trace->timescale, stream->ended);
}

void
lc_ctf_read_accounts (LcTrace *trace)
{
  g_autoptr (GArray) files = lc_ctf_list_numbered (trace, "objects-");

  for (guint i = 0; i < files->len; i++)
    {
      const LcNumberedFile *file = &g_array_index (files, LcNumberedFile, i);

      accounts_read_instance (trace, file->name, file->number);
    }
  for (guint32 i = 0; i < trace->processes->len; i++)
    accounts_end_process (trace, i);
}
