/* SPDX-License-Identifier: Apache-2.0 */
/* Inputs that a program gets from outside: what keeps them, or gives them back, and who tells which thread is which. */
#ifndef LC_RECORD_INPUTS_H
#define LC_RECORD_INPUTS_H

#include <errno.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "lightcone/inputs-format.h"
#include "lightcone/inputs-plan.h"

#define LC_INPUTS_EXPORT __attribute__ ((visibility ("default")))

/* --- The hosts: the recorder, and what replays a program ------------------------------------------------------- */

/* Memory of a library: its own calls are not the program's. */
struct lc_inputs_code
{
  uintptr_t begin;
  size_t bytes;
};

/* The beginning of the calling library, by the linker. */
extern const char __ehdr_start[] __attribute__ ((visibility ("hidden")));

/* Returns the code of the library that calls this. */
static inline struct lc_inputs_code
lc_inputs_code_here (void)
{
  const ElfW (Ehdr) *header = (const void *)__ehdr_start;
  const ElfW (Phdr) *segments = (const void *)(__ehdr_start + header->e_phoff);
  struct lc_inputs_code code = {0, 0};

  for (int i = 0; i < header->e_phnum; i++)
    if (segments[i].p_type == PT_LOAD && (segments[i].p_flags & PF_X) != 0)
      code = (struct lc_inputs_code){(uintptr_t)__ehdr_start + segments[i].p_vaddr, segments[i].p_memsz};
  return code;
}

struct lc_inputs_part
{
  const void *data;
  size_t bytes;
};

/* Exported by the recorder, as lc_inputs_keeper_1. */
struct lc_inputs_keeper
{
  uint32_t version;
  struct lc_inputs_code (*code) (void);

  /* Whether what the calling thread gets is to be kept now. */
  bool (*is_kept) (void);

  /* Keeps a result, with the bytes of `parts`; sets the record's `ordinal` and `bytes`. */
  void (*keep) (struct lc_input_record *record, const struct lc_inputs_part *parts, size_t n_parts);
};

/* Exported by what replays a program, as lc_inputs_giver_1. */
struct lc_inputs_giver
{
  uint32_t version;
  struct lc_inputs_code (*code) (void);

  /* Returns the process that the calling thread is, or LC_NO_PROCESS if it follows no history now. `is_over`: it has
   * done all that was recorded of it. */
  uint32_t (*process) (bool *is_over);

  /* Tells that the thread asks for something else than what was recorded. */
  void (*differs) (void);

  /* Stays at the end of a history that was cut short, as long as threads follow. */
  void (*stay) (void);
};

/* --- Within the library: inputs.c ------------------------------------------------------------------------------ */

enum lc_inputs_mode
{
  LC_INPUTS_NONE, /* the real function is called, and that is all */
  LC_INPUTS_KEEP, /* and its result is kept */
  LC_INPUTS_GIVE, /* the recorded result is given back */
};

/* A call that goes on. */
struct lc_inputs_call
{
  enum lc_inputs_mode mode;
  int before;                    /* errno */
  struct lc_input_record record; /* to be filled, or to be given back */
  const unsigned char *bytes;    /* that follow it: record.bytes */
};

/* Begins a call. `file` is a descriptor, or what else the call is about, and only said to people; `asked` must be the
 * same in the replay. */
struct lc_inputs_call lc_inputs_begin (enum lc_input_call call, int file, uint64_t asked);

/* Keeps the result of a call of mode LC_INPUTS_KEEP. Keeps errno. */
void lc_inputs_keep (struct lc_inputs_call *call, enum lc_input_how how, int64_t result,
                     const struct lc_inputs_part *parts, size_t n_parts);

/* The same with one part, or with none if `bytes` is 0. */
void lc_inputs_keep_bytes (struct lc_inputs_call *call, enum lc_input_how how, int64_t result, const void *data,
                           size_t bytes);

/* Gives back the recorded result, and errno if it is an error. */
int64_t lc_inputs_result (const struct lc_inputs_call *call);

/* The same, but `most` if it is more: the trace may say anything, and a program has room for no more. */
int64_t lc_inputs_result_up_to (const struct lc_inputs_call *call, uint64_t most);

/* Copies recorded bytes, from `offset` on, and returns how many there are: `room` at most. */
size_t lc_inputs_copy (const struct lc_inputs_call *call, size_t offset, void *to, size_t room);

/* Returns how many bytes the recorded address has that begins at `offset`: no more than an address can have. */
size_t lc_inputs_address_bytes (const struct lc_inputs_call *call, size_t offset);

/* Whether the code is that of the recorder, or of what replays. */
bool lc_inputs_is_recorder (uintptr_t caller);
bool lc_inputs_is_own (uintptr_t caller);

#define LC_INPUTS_CALLER() ((uintptr_t)__builtin_return_address (0))

/* Whether this program is replayed with what was kept. */
bool lc_inputs_are_given (void);

/* Keeps that a signal has come to the calling thread, if inputs are kept. */
void lc_inputs_keep_signal (int number);

/* Lets the program's handler for a signal run, if there is one: inputs-signals.c. */
void lc_inputs_raise (int number);

/* Whether what the calling thread asks for now is kept or given back. */
bool lc_inputs_is_on (void);

/* What calls the real function of something that is kept as a whole: nothing within is kept or given back. Returns the
 * state before. */
bool lc_inputs_set_inside (bool is_inside);

/* inputs-sockets.c: keeps which descriptors the program begins with, or makes those that are not there. */
void lc_inputs_inherit (void);

/* inputs-stdio.c: does that, and decides what standard input is, as soon as the program is recorded or replayed. */
void lc_inputs_start (void);
#define LC_INPUTS_START_SYMBOL "lc_inputs_start"

/* --- What a descriptor is: inputs-kinds.c ---------------------------------------------------------------------- */

enum lc_inputs_kind
{
  LC_INPUTS_PLAIN,   /* a file, which is assumed to be the same */
  LC_INPUTS_OWN,     /* a pipe or pair of sockets that the program has made */
  LC_INPUTS_EVENT,   /* an eventfd */
  LC_INPUTS_SOCKET,  /* the others are outside */
  LC_INPUTS_OUTSIDE, /* a pipe, terminal, device */
};

/* Keeps errno. */
enum lc_inputs_kind lc_inputs_kind_of (int file);
void lc_inputs_add_own (int file);

/* Whether the program's own threads may have to do something before the descriptor is ready. */
static inline bool
lc_inputs_is_inner (enum lc_inputs_kind kind)
{
  return kind < LC_INPUTS_SOCKET;
}

/* --- Files: inputs-files.c ------------------------------------------------------------------------------------- */

ssize_t lc_inputs_read (int file, void *buffer, size_t size);
ssize_t lc_inputs_write (int file, const void *buffer, size_t size);

/* Tells the command for which descriptor (+ 1; 0: none) the calling thread waits from now on; gives what it told
 * before. That is inputs.c. */
uint32_t lc_inputs_tell (uint32_t awaits);

/* Waits until what the program's own threads do has made a descriptor ready. */
void lc_inputs_await (int file, short events);

/* --- Real functions: inputs-real.c ----------------------------------------------------------------------------- */

void *lc_inputs_find (const char *name, void **place);

/* Calls the next function of this name. */
#define LC_INPUTS_REAL(name) \
  ({ \
    static void *inputs_place; \
    void *inputs_found = __atomic_load_n (&inputs_place, __ATOMIC_RELAXED); \
    __typeof__ (&name) inputs_function; \
\
    if (__builtin_expect (inputs_found == NULL, 0)) \
      inputs_found = lc_inputs_find (#name, &inputs_place); \
    __builtin_memcpy (&inputs_function, &inputs_found, sizeof inputs_function); \
    inputs_function; \
  })

#endif
