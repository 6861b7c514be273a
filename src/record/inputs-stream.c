/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps what a thread gets from outside: inputs-N, in pieces one after the other. */
#include <dlfcn.h>
#include <string.h>

#include "inputs.h"
#include "places.h"
#include "recorder.h"

void
lc_inputs_rest (struct lc_thread *thread)
{
  if (thread->inputs == NULL)
    return;
  thread->inputs_size = thread->inputs->offset + thread->inputs->bytes;
  lc_place_give (thread->inputs);
  thread->inputs = NULL;
}

static bool
inputs_take_piece (struct lc_thread *thread)
{
  struct lc_inputs_header header = {.version = LC_INPUTS_VERSION, .process = thread->process};
  const uint64_t offset = thread->inputs_size;
  struct lc_piece *piece = lc_piece_take ((enum lc_piece_kind)LC_PIECE_INPUTS, thread->process, offset);

  if (piece == NULL)
    return false;
  thread->inputs = piece;
  if (offset > 0)
    return true;
  memcpy (header.magic, "LCINPUTS", sizeof header.magic);
  memcpy (header.uuid, lc_control->uuid, sizeof header.uuid);
  lc_piece_append (piece, &header, sizeof header);
  return true;
}

/* A record may be longer than a piece. One that is there in part is the last: readers leave it out. */
static bool
inputs_write (struct lc_thread *thread, const void *data, size_t bytes)
{
  for (size_t done = 0; done < bytes;)
    {
      size_t room, left = bytes - done;

      if (thread->inputs != NULL && thread->inputs->bytes == LC_PIECE_ROOM)
        lc_inputs_rest (thread);
      if (thread->inputs == NULL && !inputs_take_piece (thread))
        return false;
      room = LC_PIECE_ROOM - thread->inputs->bytes;
      left = left < room ? left : room;
      lc_piece_append (thread->inputs, (const char *)data + done, left);
      done += left;
    }
  return true;
}

static bool
inputs_write_all (struct lc_thread *thread, const struct lc_input_record *record, const struct lc_inputs_part *parts,
                  size_t n_parts)
{
  static const char zeros[8];

  if (!inputs_write (thread, record, sizeof *record))
    return false;
  for (size_t i = 0; i < n_parts; i++)
    if (!inputs_write (thread, parts[i].data, parts[i].bytes))
      return false;
  return inputs_write (thread, zeros, -record->bytes % sizeof zeros);
}

/* A signal handler that comes while an input is written cannot have one of its own kept. */
static bool
inputs_is_kept (void)
{
  const struct lc_thread *thread = lc_classes != 0 ? lc_enter_quietly () : NULL;

  return thread != NULL && thread->packet != NULL && !thread->is_ending;
}

static void
inputs_keep (struct lc_input_record *record, const struct lc_inputs_part *parts, size_t n_parts)
{
  struct lc_thread *thread = lc_self;
  bool is_good = false;

  if (thread == NULL || thread->packet == NULL)
    return;
  if (!thread->is_keeping && !thread->has_lost_inputs)
    {
      thread->is_keeping = true;
      LC_COMPILER_BARRIER ();
      record->ordinal = thread->events;
      record->bytes = 0;
      for (size_t i = 0; i < n_parts; i++)
        record->bytes += (uint32_t)parts[i].bytes;
      is_good = inputs_write_all (thread, record, parts, n_parts);
      thread->has_lost_inputs = !is_good;
      LC_COMPILER_BARRIER ();
      thread->is_keeping = false;
    }
  if (!is_good)
    lc_count_lost (thread, thread->is_keeping ? LC_LOST_SIGNAL : lc_places_reason ());
}

void
lc_inputs_begin_in_rank (void)
{
  void *found = dlsym (RTLD_DEFAULT, LC_INPUTS_START_SYMBOL);
  __typeof__ (&lc_inputs_start) start;

  __builtin_memcpy (&start, &found, sizeof start);
  if (found != NULL)
    start ();
  else
    dlerror (); /* clears the error, which the program would take for its own */
}

extern const struct lc_inputs_keeper lc_inputs_keeper_1;

LC_EXPORT const struct lc_inputs_keeper lc_inputs_keeper_1 = {
    .version = 1, .code = lc_inputs_code_here, .is_kept = inputs_is_kept, .keep = inputs_keep};
