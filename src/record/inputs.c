/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps the results of calls by which a program gets something from outside, or gives the recorded ones back. */
/*
 * This library stands behind the recorder, or behind what replays the program, in the place of what is outside: to both
 * it is as if the system gave the same once more.
 */
#include "inputs.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static const struct lc_inputs_keeper *inputs_keeper; /* NULL: nothing is recorded */
static const struct lc_inputs_giver *inputs_giver;   /* NULL: nothing is given back */
static struct lc_inputs_plan *inputs_plan;
static struct lc_inputs_process *inputs_processes;
static struct lc_inputs_code inputs_recorder, inputs_replayer; /* their own calls are not the program's */
static bool inputs_have_begun;

/* Whom the calling thread was given inputs as; NULL: it was given none yet. */
static __thread struct lc_inputs_process *inputs_self __attribute__ ((tls_model ("initial-exec")));

static __thread bool inputs_is_inside __attribute__ ((tls_model ("initial-exec")));

/* --- The begin ------------------------------------------------------------------------------------------------- */

static const char *
inputs_variable (const char *name)
{
  const size_t length = strlen (name);

  for (char **at = environ; at != NULL && *at != NULL; at++)
    if (strncmp (*at, name, length) == 0 && (*at)[length] == '=')
      return *at + length + 1;
  return NULL;
}

static bool
inputs_is_plan (const struct lc_inputs_plan *plan, uint64_t size)
{
  return memcmp (plan->magic, LC_INPUTS_PLAN_MAGIC, sizeof plan->magic) == 0 &&
         plan->version == LC_INPUTS_PLAN_VERSION && plan->size == size &&
         plan->n_processes <= (size - sizeof *plan) / sizeof (struct lc_inputs_process);
}

static struct lc_inputs_plan *
inputs_map (const char *path)
{
  int file = (int)syscall (SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  struct lc_inputs_plan *plan = MAP_FAILED;
  struct stat status;

  if (file < 0)
    return NULL;
  if (fstat (file, &status) == 0 && status.st_size >= (off_t)sizeof *plan)
    plan = mmap (NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  syscall (SYS_close, file);
  return plan != MAP_FAILED && inputs_is_plan (plan, (uint64_t)status.st_size) ? plan : NULL;
}

/* The linker finds those of the two that are here: dlsym allocates memory when it fails, and the program's allocator
 * may be what has called. */
extern const struct lc_inputs_keeper lc_inputs_keeper_1 __attribute__ ((weak));
extern const struct lc_inputs_giver lc_inputs_giver_1 __attribute__ ((weak));

static void
inputs_begin (void)
{
  const char *path = inputs_variable (LC_INPUTS_ENVIRONMENT);
  const int before = errno;

  inputs_have_begun = true;
  inputs_keeper = &lc_inputs_keeper_1;
  inputs_giver = &lc_inputs_giver_1;
  if (inputs_keeper != NULL)
    inputs_recorder = inputs_keeper->code ();
  if (inputs_giver != NULL)
    inputs_replayer = inputs_giver->code ();
  inputs_plan = inputs_giver != NULL && path != NULL ? inputs_map (path) : NULL;
  inputs_processes = inputs_plan != NULL ? (void *)(inputs_plan + 1) : NULL;
  errno = before;
}

static void
inputs_begin_early (void)
{
  if (__builtin_expect (!inputs_have_begun, 0))
    inputs_begin ();
}

LC_INPUTS_EXPORT bool
lc_inputs_are_given (void)
{
  inputs_begin_early ();
  return inputs_plan != NULL;
}

static bool
inputs_is_in (const struct lc_inputs_code *code, uintptr_t caller)
{
  return caller - code->begin < code->bytes;
}

bool
lc_inputs_is_recorder (uintptr_t caller)
{
  inputs_begin_early ();
  return inputs_is_in (&inputs_recorder, caller);
}

bool
lc_inputs_is_own (uintptr_t caller)
{
  return lc_inputs_is_recorder (caller) || inputs_is_in (&inputs_replayer, caller);
}

/* --- Giving back ----------------------------------------------------------------------------------------------- */

static struct lc_inputs_process *
inputs_find_process (uint32_t number)
{
  uint32_t low = 0, high = inputs_plan->n_processes;

  while (low < high)
    {
      uint32_t middle = low + (high - low) / 2;

      if (inputs_processes[middle].process < number)
        low = middle + 1;
      else
        high = middle;
    }
  return low < inputs_plan->n_processes && inputs_processes[low].process == number ? &inputs_processes[low] : NULL;
}

/* Only the first difference is told. */
static void
inputs_differ (const struct lc_inputs_process *process, const struct lc_input_record *came)
{
  uint32_t none = 0;

  if (__atomic_compare_exchange_n (&inputs_plan->is_claimed, &none, 1, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
    {
      inputs_plan->came_call = came->call;
      inputs_plan->came_file = came->file;
      inputs_plan->came_asked = came->asked;
      __atomic_store_n (&inputs_plan->differs, (uint32_t)(process - inputs_processes) + 1, __ATOMIC_RELEASE);
    }
  inputs_giver->differs ();
}

static const struct lc_input_record *
inputs_peek (const struct lc_inputs_process *process)
{
  const struct lc_input_record *record = (const void *)((const char *)inputs_plan + process->next);

  return process->done < process->n && process->next + sizeof *record <= process->end &&
                 process->end <= inputs_plan->size
             ? record
             : NULL;
}

static void
inputs_pass (struct lc_inputs_process *process, const struct lc_input_record *record)
{
  process->next += sizeof *record + (record->bytes + UINT64_C (7)) / 8 * 8;
  __atomic_store_n (&process->done, process->done + 1, __ATOMIC_RELEASE);
}

/* Signals that came within the call are kept before it. Their handlers ask for inputs, too. */
static const struct lc_input_record *
inputs_peek_call (struct lc_inputs_process *process)
{
  const struct lc_input_record *record = inputs_peek (process);

  while (record != NULL && record->call == LC_INPUT_SIGNAL)
    {
      inputs_pass (process, record);
      lc_inputs_raise (record->file);
      record = inputs_peek (process);
    }
  return record;
}

/* A thread that has done all that was recorded of it may ask for more: what it did then was not recorded, either. */
static void
inputs_give (struct lc_inputs_call *call)
{
  bool is_over;
  uint32_t number = inputs_giver->process (&is_over);
  struct lc_inputs_process *process = number != LC_NO_PROCESS ? inputs_find_process (number) : NULL;
  const struct lc_input_record *record = process != NULL ? inputs_peek_call (process) : NULL;

  if (process == NULL)
    return;
  if (record != NULL && record->call == call->record.call && record->asked == call->record.asked)
    {
      inputs_self = process;
      call->mode = LC_INPUTS_GIVE;
      call->record = *record;
      call->bytes = (const unsigned char *)(record + 1);
      inputs_pass (process, record);
    }
  else if (record != NULL || !(is_over || process->is_cut))
    inputs_differ (process, &call->record);
  else if (is_over && process->is_cut)
    inputs_giver->stay ();
}

bool
lc_inputs_is_on (void)
{
  bool is_over;

  inputs_begin_early ();
  if (inputs_plan != NULL)
    return inputs_giver->process (&is_over) != LC_NO_PROCESS;
  return inputs_keeper != NULL && inputs_keeper->is_kept ();
}

bool
lc_inputs_set_inside (bool is_inside)
{
  const bool before = inputs_is_inside;

  inputs_is_inside = is_inside;
  return before;
}

uint32_t
lc_inputs_tell (uint32_t awaits)
{
  return inputs_self != NULL ? __atomic_exchange_n (&inputs_self->awaits, awaits, __ATOMIC_ACQ_REL) : 0;
}

int64_t
lc_inputs_result (const struct lc_inputs_call *call)
{
  errno = call->record.result < 0 && call->record.error != 0 ? call->record.error : call->before;
  return call->record.result;
}

int64_t
lc_inputs_result_up_to (const struct lc_inputs_call *call, uint64_t most)
{
  const int64_t result = lc_inputs_result (call);

  return result > 0 && (uint64_t)result > most ? (int64_t)most : result;
}

size_t
lc_inputs_copy (const struct lc_inputs_call *call, size_t offset, void *to, size_t room)
{
  size_t there = call->record.bytes > offset ? call->record.bytes - offset : 0;

  if (there > room)
    there = room;
  if (there > 0)
    memcpy (to, call->bytes + offset, there);
  return there;
}

size_t
lc_inputs_address_bytes (const struct lc_inputs_call *call, size_t offset)
{
  const size_t there = call->record.bytes > offset ? call->record.bytes - offset : 0;

  return there < sizeof (struct sockaddr_storage) ? there : sizeof (struct sockaddr_storage);
}

/* --- Keeping --------------------------------------------------------------------------------------------------- */

struct lc_inputs_call
lc_inputs_begin (enum lc_input_call what, int file, uint64_t asked)
{
  struct lc_inputs_call call = {.before = errno, .record = {.call = (uint16_t)what, .file = file, .asked = asked}};

  inputs_begin_early ();
  if (inputs_is_inside)
    return call;
  if (inputs_plan != NULL)
    inputs_give (&call);
  else if (inputs_keeper != NULL && inputs_keeper->is_kept ())
    call.mode = LC_INPUTS_KEEP;
  errno = call.before;
  return call;
}

void
lc_inputs_keep (struct lc_inputs_call *call, enum lc_input_how how, int64_t result, const struct lc_inputs_part *parts,
                size_t n_parts)
{
  const int after = errno;

  call->record.how = (uint8_t)how;
  call->record.result = result;
  call->record.error = result < 0 ? after : 0;
  inputs_keeper->keep (&call->record, parts, n_parts);
  errno = after;
}

void
lc_inputs_keep_bytes (struct lc_inputs_call *call, enum lc_input_how how, int64_t result, const void *data,
                      size_t bytes)
{
  lc_inputs_keep (call, how, result, &(struct lc_inputs_part){data, bytes}, bytes > 0);
}

void
lc_inputs_keep_signal (int number)
{
  struct lc_inputs_call call = {.record = {.call = LC_INPUT_SIGNAL, .file = number}};

  inputs_begin_early ();
  if (inputs_plan == NULL && inputs_keeper != NULL && inputs_keeper->is_kept ())
    lc_inputs_keep (&call, LC_INPUT_DONE, 0, NULL, 0);
}
