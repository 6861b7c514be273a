/* SPDX-License-Identifier: Apache-2.0 */
/* Where the program is: its modules, call sites and stacks, as records of objects-I. */
#ifndef LC_RECORD_SITES_H
#define LC_RECORD_SITES_H

#include <limits.h>

#include "frames.h"
#include "recorder.h"

/* Whose code it is. */
enum lc_author
{
  LC_AUTHOR_PROGRAM,
  LC_AUTHOR_LANGUAGE, /* a function of the language's library that was compiled into the program: the compiler may have
                         put functions of the program's into it */
  LC_AUTHOR_LIBRARY,
};

struct lc_range
{
  uint64_t begin, end;
  enum lc_author author;
};

/* Functions of a module that are a library's: the addresses of each, in order. */
struct lc_ranges
{
  struct lc_range *ranges; /* NULL: none */
  size_t n, bytes;
};

/* A file of code that is loaded. */
struct lc_module
{
  uintptr_t begin, end; /* its memory; `end` 0: the module is gone */
  uintptr_t base;       /* what is added to the file's addresses */
  uint64_t identity;    /* of its path and build-id */
  uint32_t record;      /* 0: there was no room */
  bool is_library, is_ours;
  const void *frames; /* its .eh_frame_hdr, or NULL */
  struct lc_frame_bounds bounds;
  struct lc_ranges libraries; /* functions of libraries that were compiled into it */
};

/* --- Modules: modules.c. Call these between lc_slow_begin and lc_slow_end. ------------------------------------- */

/* Finds the module at an address, and if it is to be recorded, makes its record if it has none. NULL: none. The caller
 * holds lc_sites_lock. */
struct lc_module *lc_module_find (const void *address, bool recorded);

/* How many modules' symbols were read, which takes long. */
extern uint32_t lc_modules_listed;

/* Tells whose the code at this address is. */
enum lc_author lc_module_author (const struct lc_module *module, uintptr_t address);

/* Makes the record of the module that a variable or function is part of. Returns it with the base; 0: none. */
uint32_t lc_module_see (const void *address, uint64_t *base);

/* Returns the path of the module's file: the buffer has PATH_MAX bytes. "": none is known. */
const char *lc_module_path (const void *address, char *buffer);

/* symbols.c: lists the functions of a file that are a language's library. */
void lc_symbols_list_libraries (const char *path, struct lc_ranges *ranges);

/* --- Sites and stacks: sites.c --------------------------------------------------------------------------------- */

extern uint32_t lc_sites_lock;

void lc_sites_begin (void);

/* Called in a forked child, which has records of its own. */
void lc_sites_forget (void);
void lc_modules_forget (void);

/* Called when a module may have been unloaded: other code may come to its addresses. */
void lc_sites_renew (void);

/* Finds the record of the function that the thread begins with. */
void lc_site_find_start (struct lc_thread *thread, const void *function);

/* Finds where the calling thread's stack ends. */
void lc_stack_begin (struct lc_thread *thread);

#endif
