/* SPDX-License-Identifier: Apache-2.0 */
/* A recorder that only remembers how it was called, for tests of the program's side. */
#ifndef LC_TEST_FAKE_RECORDER_H
#define LC_TEST_FAKE_RECORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hooks.h"

enum fake_call
{
  FAKE_OBJECT, /* operation: its class; object: its new record; value; name */
  FAKE_BLOCK,
  FAKE_ACQUIRE,
  FAKE_RELEASE,
  FAKE_TAG,     /* value */
  FAKE_ENTER,   /* name */
  FAKE_LEAVE,   /* name */
  FAKE_PROCESS, /* name */
  FAKE_SNAPSHOT /* name; value: rows; sequence: columns */
};

struct fake_entry
{
  enum fake_call call;
  uint32_t thread; /* in the order in which they were first heard of, from 1 */
  uint32_t object;
  uint16_t operation;
  uint8_t flags;
  uint64_t sequence, value, begin, end;
  char name[16];
};

enum
{
  FAKE_ENTRIES = 1 << 20
};

struct fake_recorder
{
  uint32_t classes;
  uint32_t instance;
  uint32_t records;  /* the last one given out */
  bool full;         /* there is no room for another */
  uint64_t clock;    /* each look at it is one more: so no two stamps are the same */
  uint32_t *version; /* that it says it has */
  size_t count;
  struct fake_entry entries[FAKE_ENTRIES];
};

struct fake_recorder *fake_recorder (void);

/* The calling thread's number. */
uint32_t fake_thread (void);

#endif
