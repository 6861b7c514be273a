/* SPDX-License-Identifier: Apache-2.0 */
/* Tells the recorder what a rank does in its replay. */
#include "again.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "lightcone/trace-format.h"

enum
{
  FIRST_NUMBERS = 1024, /* room for them at first */
  REPLAY_OF_RANKS = 2,  /* the first version of what replays threads that knows of MPI */
};

/* The recorder's numbers by those of the replay. */
struct again_numbers
{
  uint32_t *recorded; /* 0: not known */
  uint32_t n;
};

const struct lc_hooks *lc_again_recorder;
const struct lc_replay_hooks *lc_again_threads;
static struct again_numbers objects, requests; /* of requests, and 1 more */

static void
again_make_room (struct again_numbers *numbers, uint32_t number)
{
  uint64_t wanted = numbers->n == 0 ? FIRST_NUMBERS : numbers->n;
  uint32_t *room;

  while (wanted <= number)
    wanted *= 2;
  room = mmap (NULL, wanted * sizeof *room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (room == MAP_FAILED)
    return;
  if (numbers->n > 0)
    {
      memcpy (room, numbers->recorded, numbers->n * sizeof *room);
      munmap (numbers->recorded, numbers->n * sizeof *room);
    }
  numbers->recorded = room;
  numbers->n = (uint32_t)wanted;
}

/* Libraries of MPI stand before mmap, and lock there. */
static void
again_set_number (struct again_numbers *numbers, uint32_t number, uint32_t recorded)
{
  struct lc_suspension suspension = {0};

  lc_again_suspend (&suspension);
  if (number >= numbers->n && number < UINT32_MAX / 2)
    again_make_room (numbers, number);
  lc_again_resume (&suspension);
  if (number < numbers->n)
    numbers->recorded[number] = recorded;
}

static uint32_t
again_get_number (const struct again_numbers *numbers, uint64_t number)
{
  return number < numbers->n ? numbers->recorded[number] : 0;
}

static void
again_find_threads (void)
{
  const struct lc_replay_hooks *threads = dlsym (RTLD_DEFAULT, LC_REPLAY_HOOKS_SYMBOL);

  if (threads == NULL)
    dlerror (); /* so that the program does not see our error */
  else if (threads->version >= REPLAY_OF_RANKS)
    lc_again_threads = threads;
}

/* The library that replays threads stands before the recorder, which records no class if it only looks for programs of
 * MPI. */
void
lc_again_begin (void)
{
  const int error = errno;
  const struct lc_hooks *hooks;

  again_find_threads ();
  hooks = lc_again_threads != NULL ? lc_again_threads->recorder () : dlsym (RTLD_DEFAULT, LC_HOOKS_SYMBOL);
  if (hooks == NULL)
    dlerror (); /* so that the program does not see our error */
  else if (hooks->version >= LC_HOOKS_VERSION && *hooks->classes != 0)
    lc_again_recorder = hooks;
  errno = error;
}

void
lc_again_add_object (uint32_t object, enum lc_class class, const char *name, uint64_t value)
{
  if (lc_again_recorder != NULL && object != 0 && again_get_number (&objects, object) == 0)
    again_set_number (&objects, object, lc_again_recorder->shared_object (class, name, value));
}

void
lc_again_add_request (uint32_t request)
{
  if (lc_again_recorder != NULL)
    again_set_number (&requests, request, lc_again_recorder->request () + 1);
}

void
lc_again_await (uint16_t operation, uint32_t object, uint64_t sequence, uint64_t begin)
{
  if (lc_again_recorder != NULL)
    lc_again_recorder->await (operation, again_get_number (&objects, object), sequence, begin);
}

/* Without its number, the event counts as lost. */
static void
again_number_request (struct lc_finished *event)
{
  const uint32_t number = again_get_number (&requests, event->sequence);

  if (number == 0)
    event->flags &= (uint8_t)~LC_EVENT_REQUEST;
  event->sequence = number - 1;
}

/* The number of tests in vain stands where others have their bytes. */
static void
again_take_planned (struct lc_finished *event, const struct lc_replay_mpi_event *planned)
{
  if ((planned->flags & LC_REPLAY_MPI_BLIND) != 0)
    event->flags |= LC_EVENT_BLIND;
  if (planned->tries > 1)
    {
      event->flags |= LC_EVENT_CONTENDED;
      event->bytes = planned->tries;
    }
}

void
lc_again_append (const struct lc_finished *finished, const struct lc_replay_mpi_event *planned)
{
  struct lc_finished event = *finished;

  if (lc_again_recorder == NULL)
    return;
  if ((event.flags & LC_EVENT_REQUEST) != 0)
    again_number_request (&event);
  else
    event.object = again_get_number (&objects, event.object);
  if (planned == NULL)
    {
      lc_again_recorder->append (&event);
      return;
    }
  again_take_planned (&event, planned);
  lc_again_recorder->append_alone (&event);
}

void
lc_again_resolve (uint32_t request, uint32_t object, uint32_t sequence)
{
  const uint32_t number = again_get_number (&requests, request), recorded = again_get_number (&objects, object);

  if (lc_again_recorder != NULL && number != 0 && recorded != 0)
    lc_again_recorder->resolve (number - 1, recorded, sequence);
}

void
lc_again_suspend (struct lc_suspension *suspension)
{
  if (lc_again_recorder != NULL)
    lc_again_recorder->suspend (suspension);
}

void
lc_again_resume (const struct lc_suspension *suspension)
{
  if (lc_again_recorder != NULL)
    lc_again_recorder->resume (suspension);
}
