/* SPDX-License-Identifier: Apache-2.0 */
/* A recorder that only remembers how it was called, for tests of the program's side. */
#include "fake-recorder.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

extern struct lc_hooks lc_record_hooks_1;

static struct fake_recorder recorder = {
    .classes = UINT32_MAX, .instance = 1, .records = 1, .version = &lc_record_hooks_1.version};
static uint32_t threads;
static __thread uint32_t thread;

struct fake_recorder *
fake_recorder (void)
{
  return &recorder;
}

uint32_t
fake_thread (void)
{
  if (thread == 0)
    thread = __atomic_add_fetch (&threads, 1, __ATOMIC_RELAXED);
  return thread;
}

/* Now and then others run first, so that what is recorded too late, or by two, is seen to be. */
static void
let_others_run (void)
{
  static __thread uint32_t calls;

  if (++calls % 13 == 0)
    sched_yield ();
}

/* All relaxed, here and below: it must not order what the tested code forgets to. */
static uint64_t
now (void)
{
  let_others_run ();
  return __atomic_add_fetch (&recorder.clock, 1, __ATOMIC_RELAXED);
}

static struct fake_entry *
add (enum fake_call call)
{
  size_t place = __atomic_fetch_add (&recorder.count, 1, __ATOMIC_RELAXED);

  if (place >= FAKE_ENTRIES)
    {
      fprintf (stderr, "the fake recorder is full\n");
      abort ();
    }
  recorder.entries[place] = (struct fake_entry){.call = call, .thread = fake_thread ()};
  return &recorder.entries[place];
}

static void
add_name (enum fake_call call, const char *name)
{
  struct fake_entry *entry = add (call);

  snprintf (entry->name, sizeof entry->name, "%s", name);
}

static uint32_t
object (enum lc_class class, const char *name, const void *address, uint64_t value)
{
  struct fake_entry *entry;

  if (recorder.full)
    return 0;
  entry = add (FAKE_OBJECT);
  entry->object = __atomic_add_fetch (&recorder.records, 1, __ATOMIC_RELAXED);
  entry->operation = (uint16_t) class;
  entry->value = value;
  entry->begin = (uint64_t)(uintptr_t)address;
  snprintf (entry->name, sizeof entry->name, "%s", name != NULL ? name : "-");
  return entry->object;
}

static void
block (uint16_t operation, uint32_t record, uint64_t sequence, uint64_t begin)
{
  struct fake_entry *entry = add (FAKE_BLOCK);

  entry->operation = operation;
  entry->object = record;
  entry->sequence = sequence;
  entry->begin = entry->end = begin;
}

static void
acquire (uint16_t operation, uint32_t record, uint64_t sequence, uint64_t value, uint64_t begin, uint8_t flags)
{
  struct fake_entry *entry = add (FAKE_ACQUIRE);

  entry->operation = operation;
  entry->object = record;
  entry->sequence = sequence;
  entry->value = value;
  entry->begin = begin;
  entry->end = now ();
  entry->flags = flags;
}

static void
release (uint16_t operation, uint32_t record, uint64_t sequence, uint64_t value, uint64_t at)
{
  struct fake_entry *entry = add (FAKE_RELEASE);

  let_others_run ();
  entry->operation = operation;
  entry->object = record;
  entry->sequence = sequence;
  entry->value = value;
  entry->begin = entry->end = at;
}

static void
tag (uint32_t value)
{
  add (FAKE_TAG)->value = value;
}

static void
enter (const char *name)
{
  add_name (FAKE_ENTER, name);
}

static void
leave (const char *name)
{
  add_name (FAKE_LEAVE, name);
}

static void
name_process (const char *name)
{
  add_name (FAKE_PROCESS, name);
}

static void
snapshot (const char *name, const double *matrix, size_t rows, size_t columns)
{
  struct fake_entry *entry = add (FAKE_SNAPSHOT);

  snprintf (entry->name, sizeof entry->name, "%s", name);
  entry->value = rows;
  entry->sequence = columns;
  entry->begin = (uint64_t)(uintptr_t)matrix;
}

struct lc_hooks lc_record_hooks_1 = {
    .version = LC_HOOKS_VERSION,
    .classes = &recorder.classes,
    .instance = &recorder.instance,
    .object = object,
    .now = now,
    .block = block,
    .acquire = acquire,
    .release = release,
    .tag = tag,
    .enter = enter,
    .leave = leave,
    .name_process = name_process,
    .snapshot = snapshot,
};
