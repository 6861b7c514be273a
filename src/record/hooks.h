/* SPDX-License-Identifier: Apache-2.0 */
/* How the library a program links (program-*.c) speaks to the recorder, if there is one in the address space. */
#ifndef LC_RECORD_HOOKS_H
#define LC_RECORD_HOOKS_H

#include <stddef.h>
#include <stdint.h>

#include "lightcone/trace-format.h"

#define LC_HOOKS_VERSION 1
#define LC_HOOKS_SYMBOL "lc_record_hooks_1"

/*
 * Exported by the recorder as LC_HOOKS_SYMBOL, and found with dlsym by the program's side; never freed. All functions
 * may be called by any thread at any time, and none fails: what cannot be recorded is counted as lost.
 */
struct lc_hooks
{
  uint32_t version;

  /* Which classes are being recorded: bit 1 << enum lc_class; 0: nothing is. May change at a fork. */
  const uint32_t *classes;

  /* The number of this address space + 1: ids of another one (before a fork) are no longer valid. */
  const uint32_t *instance;

  /* A new record of an object; kind is LC_KIND_LIBRARY. 0: there is no room, and events with it are counted as lost.
     Signal-safe. */
  uint32_t (*object) (enum lc_class class, const char *name, const void *address, uint64_t value);

  /* The time now, in ticks. */
  uint64_t (*now) (void);

  /* The calling thread is about to block in an operation that began at `begin`; ended by `acquire` or `release`. */
  void (*block) (uint16_t operation, uint32_t object, uint64_t sequence, uint64_t begin);

  /* An operation that began at `begin` and ends now. `value`: bytes, for those with LC_LAYOUT_MESSAGE. */
  void (*acquire) (uint16_t operation, uint32_t object, uint64_t sequence, uint64_t value, uint64_t begin,
                   uint8_t flags);

  /*
   * An operation at an instant that was `at`. Call it before the effect on other threads can be seen; `at` must be
   * from before that effect too.
   */
  void (*release) (uint16_t operation, uint32_t object, uint64_t sequence, uint64_t value, uint64_t at);

  void (*tag) (uint32_t value);
  void (*enter) (const char *name);
  void (*leave) (const char *name);
  void (*name_process) (const char *name);
  void (*snapshot) (const char *name, const double *matrix, size_t rows, size_t columns);
};

#endif
