/* SPDX-License-Identifier: Apache-2.0 */
/* Whether what the fake recorder was told is true of an execution. Each check says what is wrong. */
#include "program-log.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake-recorder.h"

void
log_begin (void)
{
  fake_recorder ()->count = 0;
}

/* --- Reading the log --------------------------------------------------------------------------------------- */

static bool
is_event (const struct fake_entry *entry)
{
  return entry->call == FAKE_ACQUIRE || entry->call == FAKE_RELEASE;
}

static uint32_t
record_of (const char *object)
{
  struct fake_recorder *fake = fake_recorder ();

  for (size_t i = fake->count; i > 0; i--)
    if (fake->entries[i - 1].call == FAKE_OBJECT && strcmp (fake->entries[i - 1].name, object) == 0)
      return fake->entries[i - 1].object;
  return 0;
}

/* The next event after `last`, or the first after NULL, of this record (if not 0) and thread (if not 0); or NULL. */
static const struct fake_entry *
next_event (const struct fake_entry *last, uint32_t record, uint32_t thread)
{
  struct fake_recorder *fake = fake_recorder ();

  for (size_t i = last != NULL ? (size_t)(last - fake->entries) + 1 : 0; i < fake->count; i++)
    {
      const struct fake_entry *entry = &fake->entries[i];

      if (is_event (entry) && (record == 0 || entry->object == record) && (thread == 0 || entry->thread == thread))
        return entry;
    }
  return NULL;
}

static const struct fake_entry *
event_before (const struct fake_entry *event)
{
  const struct fake_entry *entry = event;

  while (entry-- > fake_recorder ()->entries)
    if (is_event (entry) && entry->thread == event->thread)
      return entry;
  return NULL;
}

static void *
new_table (size_t count, size_t size)
{
  void *table = calloc (count, size);

  if (table == NULL)
    abort ();
  return table;
}

static unsigned int complaints;

static void
begin_check (void)
{
  complaints = 0;
}

/* Remembers that something is wrong, and says the first such things. */
static void
check (bool good, const char *problem, uint64_t sequence)
{
  if (!good && complaints++ < 5)
    printf ("# %s: %" PRIu64 "\n", problem, sequence);
}

static bool
end_check (void)
{
  return complaints == 0;
}

/* --- Threads ----------------------------------------------------------------------------------------------- */

bool
log_check_threads (void)
{
  enum
  {
    MOST_THREADS = 1 << 14
  };
  struct fake_recorder *fake = fake_recorder ();
  uint64_t *last = new_table (MOST_THREADS, sizeof *last), *blocked = new_table (MOST_THREADS, sizeof *blocked);

  begin_check ();
  for (size_t i = 0; i < fake->count; i++)
    {
      const struct fake_entry *entry = &fake->entries[i];
      uint32_t thread = entry->thread % MOST_THREADS;

      if (entry->call == FAKE_BLOCK)
        {
          check (blocked[thread] == 0, "a thread blocks twice, at entry", i);
          check (entry->begin > last[thread], "a thread blocks before the end of its last event, at entry", i);
          blocked[thread] = entry->begin;
        }
      else if (is_event (entry))
        {
          check (entry->begin > last[thread], "an event begins before the last one's end, at entry", i);
          check (entry->end >= entry->begin, "an event ends before it begins, at entry", i);
          check (((entry->flags & LC_EVENT_CONTENDED) != 0) == (blocked[thread] != 0),
                 "a contended event that did not block, or the other way round, at entry", i);
          last[thread] = entry->end;
          blocked[thread] = 0;
        }
    }
  for (uint32_t thread = 0; thread < MOST_THREADS; thread++)
    check (blocked[thread] == 0, "still blocked, thread", thread);
  free (last);
  free (blocked);
  return end_check ();
}

bool
log_check_contended (const char *object, uint16_t operation, size_t count)
{
  const struct fake_entry *event = NULL;
  uint32_t record = record_of (object);
  size_t contended = 0;

  begin_check ();
  while ((event = next_event (event, record, 0)) != NULL)
    if (event->operation == operation && event->flags & LC_EVENT_CONTENDED)
      contended++;
  check (contended == count, "another number of events is contended", contended);
  return end_check ();
}

/* --- Crew -------------------------------------------------------------------------------------------------- */

struct version
{
  size_t read_starts, read_ends, write_starts, write_ends;
  uint64_t first_read_start, last_read_end; /* the ends of these events */
  uint64_t write_start, write_end;
  uint64_t reads_before; /* as the write-start tells */
};

static void
add_to_version (struct version *version, const struct fake_entry *event)
{
  check (!(event->flags & LC_EVENT_UNKNOWN), "the write before is known", event->sequence);
  switch (event->operation)
    {
    case LC_READ_START:
      if (version->read_starts++ == 0 || event->end < version->first_read_start)
        version->first_read_start = event->end;
      break;
    case LC_READ_END:
      version->read_ends++;
      if (event->end > version->last_read_end)
        version->last_read_end = event->end;
      break;
    case LC_WRITE_START:
      version->write_starts++;
      version->write_start = event->end;
      version->reads_before = event->value;
      break;
    case LC_WRITE_END:
      version->write_ends++;
      version->write_end = event->end;
      break;
    default:
      check (false, "not an operation of a crew", event->operation);
    }
}

bool
log_check_crew (const char *object, size_t writes)
{
  struct version *versions = new_table (writes + 1, sizeof *versions);
  const struct fake_entry *event = NULL;
  uint32_t record = record_of (object);

  begin_check ();
  while ((event = next_event (event, record, 0)) != NULL)
    if (event->sequence <= writes)
      add_to_version (&versions[event->sequence], event);
    else
      check (false, "a version that nobody wrote", event->sequence);
  for (size_t k = 0; k <= writes; k++)
    {
      const struct version *version = &versions[k], *before = version - 1;

      check (version->read_starts == version->read_ends, "as many read-ends as read-starts", k);
      check (version->write_starts == (k > 0) && version->write_ends == (k > 0), "one write of each version", k);
      if (k == 0)
        continue;
      check (version->reads_before == before->read_starts, "the number of reads of the version before", k);
      check (before->last_read_end < version->write_start, "read-end k is before write-start k + 1", k - 1);
      check (before->write_end < version->write_start, "write-end k is before write-start k + 1", k - 1);
      check (version->read_starts == 0 || version->write_end < version->first_read_start,
             "write-end k is before read-start k", k);
    }
  free (versions);
  return end_check ();
}

/* --- Advance and await ------------------------------------------------------------------------------------- */

bool
log_check_sync (const char *object, uint64_t first, size_t count, size_t awaits)
{
  uint64_t *advanced = new_table (count, sizeof *advanced);
  const struct fake_entry *event = NULL;
  uint32_t record = record_of (object);
  size_t awaited = 0;

  begin_check ();
  while ((event = next_event (event, record, 0)) != NULL)
    {
      uint64_t i = event->sequence - first;

      check (i < count, "no such index", event->sequence);
      if (event->operation != LC_ADVANCE || i >= count)
        continue;
      check (advanced[i] == 0, "advanced twice", event->sequence);
      advanced[i] = event->end;
    }
  while ((event = next_event (event, record, 0)) != NULL)
    if (event->operation == LC_AWAIT && event->sequence - first < count)
      {
        uint64_t at = advanced[event->sequence - first];

        awaited++;
        check (at != 0 && at < event->end, "advance i is before await i", event->sequence);
        check (!(event->flags & LC_EVENT_UNKNOWN), "the advance is known", event->sequence);
      }
  for (size_t i = 0; i < count; i++)
    check (advanced[i] != 0, "never advanced", first + i);
  check (awaited == awaits, "another number of awaits", awaited);
  free (advanced);
  return end_check ();
}

/* --- Barrier ----------------------------------------------------------------------------------------------- */

bool
log_check_barrier (const char *object, size_t generations, size_t count)
{
  struct generation
  {
    size_t members, contended;
    uint64_t last_begin, first_end;
  } *table = new_table (generations, sizeof *table);
  const struct fake_entry *event = NULL;
  uint32_t record = record_of (object);

  begin_check ();
  while ((event = next_event (event, record, 0)) != NULL)
    {
      struct generation *generation = &table[event->sequence < generations ? event->sequence : 0];

      check (event->sequence < generations, "a generation too many", event->sequence);
      check (event->value == count, "how many it gathers", event->sequence);
      if (generation->members++ == 0 || event->end < generation->first_end)
        generation->first_end = event->end;
      if (event->begin > generation->last_begin)
        generation->last_begin = event->begin;
      generation->contended += event->flags & LC_EVENT_CONTENDED ? 1 : 0;
    }
  for (size_t i = 0; i < generations; i++)
    {
      check (table[i].members == count, "the members of a generation", i);
      check (table[i].contended == count - 1, "all but one wait", i);
      check (table[i].last_begin < table[i].first_end, "each begin is before each end", i);
    }
  free (table);
  return end_check ();
}

/* --- Semaphore --------------------------------------------------------------------------------------------- */

bool
log_check_semaphore (const char *object, size_t tokens, size_t posts, size_t waits)
{
  uint64_t *posted = new_table (tokens + posts + 1, sizeof *posted), *waited = new_table (waits + 1, sizeof *waited);
  const struct fake_entry *event = NULL;
  uint32_t record = record_of (object);

  begin_check ();
  while ((event = next_event (event, record, 0)) != NULL)
    {
      uint64_t *table = event->operation == LC_POST ? posted : waited;
      uint64_t least = event->operation == LC_POST ? tokens + 1 : 1;
      uint64_t most = event->operation == LC_POST ? tokens + posts : waits;

      if (event->operation == LC_WAIT_FAILED)
        continue;
      check (event->sequence >= least && event->sequence <= most && table[event->sequence] == 0,
             "a token that is not there or was there before", event->sequence);
      if (event->sequence <= most)
        table[event->sequence] = event->end;
    }
  for (size_t k = tokens + 1; k <= tokens + posts; k++)
    check (posted[k] != 0 && (k > waits || posted[k] < waited[k]), "post k is before wait k", k);
  for (size_t k = 1; k <= waits; k++)
    check (waited[k] != 0, "never waited for", k);
  free (posted);
  free (waited);
  return end_check ();
}

bool
log_check_semaphore_pairs (const char *object, size_t least)
{
  const struct fake_entry *event = NULL;
  size_t most = fake_recorder ()->count * 2;
  uint64_t *posted = new_table (most, sizeof *posted);
  uint32_t record = record_of (object);
  size_t posts = 0, waits = 0;

  begin_check ();
  while ((event = next_event (event, record, 0)) != NULL)
    if (event->operation == LC_POST && event->sequence < most)
      {
        posts++;
        posted[event->sequence] = event->end;
      }
  while ((event = next_event (event, record, 0)) != NULL)
    if (event->operation == LC_WAIT && event->sequence < most && !(event->flags & LC_EVENT_UNKNOWN))
      {
        waits++;
        check (posted[event->sequence] != 0 && posted[event->sequence] < event->end, "a wait has its post",
               event->sequence);
      }
  check (waits == posts, "another number of waits than posts", waits);
  check (waits >= least, "few waits", waits);
  free (posted);
  return end_check ();
}

/* --- Channel ----------------------------------------------------------------------------------------------- */

bool
log_check_channel (const char *object, size_t messages)
{
  const struct fake_entry **sends = new_table (messages, sizeof *sends), **recvs = new_table (messages, sizeof *recvs);
  const struct fake_entry *event = NULL;
  uint32_t record = record_of (object);

  begin_check ();
  while ((event = next_event (event, record, 0)) != NULL)
    {
      const struct fake_entry **table = event->operation == LC_RECV ? recvs : sends;

      check (event->sequence < messages && table[event->sequence] == NULL,
             "a message that is not there or was there before", event->sequence);
      if (event->sequence < messages)
        table[event->sequence] = event;
    }
  for (size_t i = 0; i < messages; i++)
    {
      const struct fake_entry *send = sends[i], *recv = recvs[i];

      check (send != NULL && recv != NULL, "sent and received", i);
      if (send == NULL || recv == NULL)
        continue;
      check (send->value == recv->value, "as long as it was sent", i);
      check (send->begin < recv->end, "the begin of send is before the end of recv", i);
      check (!(recv->flags & LC_EVENT_UNKNOWN), "the send is known", i);
      if (send->operation == LC_SSEND)
        check (recv->begin < send->end, "the begin of recv is before the end of ssend", i);
      else
        check (send->end < recv->end, "the end of a buffered send is before the end of recv", i);
    }
  free (sends);
  free (recvs);
  return end_check ();
}

bool
log_check_room (const char *object, size_t slots)
{
  const struct fake_entry *event = NULL, *other;
  char name[sizeof event->name];
  uint32_t channel = record_of (object), room;

  snprintf (name, sizeof name, "%s.room", object);
  room = record_of (name);
  begin_check ();
  while ((event = next_event (event, room, 0)) != NULL)
    if (event->operation == LC_POST)
      {
        other = event_before (event);
        check (other != NULL && other->operation == LC_RECV && other->object == channel &&
                   other->sequence + slots + 1 == event->sequence,
               "room is made by taking the message", event->sequence);
      }
    else
      {
        other = next_event (event, 0, event->thread);
        check (other != NULL && (other->operation == LC_SEND || other->operation == LC_SSEND) &&
                   other->object == channel && other->sequence + 1 == event->sequence,
               "the message is sent after the wait", event->sequence);
        check (event->operation == LC_WAIT && event->flags & LC_EVENT_CONTENDED, "a wait was contended",
               event->sequence);
      }
  return end_check ();
}

bool
log_check_received (const char *object, uint32_t thread, const uint32_t *senders, size_t sender_count,
                    const struct message_got *got, size_t count)
{
  uint64_t *sequences = new_table (sender_count * count, sizeof *sequences);
  const struct fake_entry *event;
  uint32_t record = record_of (object);
  size_t received = 0;

  begin_check ();
  for (size_t i = 0; i < sender_count; i++)
    {
      size_t sent = 0;

      for (event = NULL; sent < count && (event = next_event (event, record, senders[i])) != NULL; sent++)
        sequences[i * count + sent] = event->sequence;
      check (sent == count, "another number of messages sent", sent);
    }
  for (event = NULL; received < count && (event = next_event (event, record, thread)) != NULL; received++)
    check (sequences[got[received].sender * count + got[received].number] == event->sequence,
           "the n-th sent is the n-th received", event->sequence);
  check (received == count, "another number of messages received", received);
  free (sequences);
  return end_check ();
}
