/* SPDX-License-Identifier: Apache-2.0 */
/* Call sites and stacks. */
#include "sites.h"

#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/*
 * What is known of a place in the code (how to find its caller, whether it is a library's) is found once and kept in a
 * table; so are the records of sites. Both tables are read without a lock.
 */

enum
{
  FIRST_ROOM = 1024,         /* places of a new table */
  MOST_ROOM = 1 << 21,       /* places of the largest; it is never more than half full */
  LIBRARY_DEPTH = 24,        /* frames to look through for one that is no library's */
  LANGUAGE_DEPTH = 12,       /* of these, frames of the language's library */
  PAGE = 4096,               /* the smallest: memory to its end is always there */
  LARGEST_STACK = 256 << 20, /* bytes; what a system without a limit is taken to have */
  USUAL_STACK = 8 << 20,
};

#define EXACT (UINT64_C (1) << 63) /* in the key of a place that is not a return address */

/* A place in the code. */
struct code
{
  uint64_t key; /* written last; 0: free */
  uint32_t generation;
  uint32_t module; /* record */
  uint64_t offset;
  struct lc_frame_rule rule;
  enum lc_author author;
  bool is_ours, is_known; /* is_known: in a module */
};

/* The record of a site. */
struct node
{
  uint64_t offset;
  uint32_t module, parent;
  uint32_t kind;
  uint32_t record; /* written last; 0: free */
};

/* Open addressing; a table is replaced when half of it is used, and its memory is kept for those who still read it. */
struct code_table
{
  uint32_t mask, used;
  struct code places[];
};

struct node_table
{
  uint32_t mask, used;
  struct node places[];
};

uint32_t lc_sites_lock;
uint64_t lc_sites_salt;

static struct code_table *known_codes;
static struct node_table *known_nodes;
static uint32_t generation;
static uint32_t where = LC_WHERE_NOTHING;
static uintptr_t first_stack_top, usual_stack;

/* The program's own symbols are read now, and not in the middle of its work. */
void
lc_sites_begin (void)
{
  struct rlimit limit;

  where = lc_control->where;
  first_stack_top = getauxval (AT_RANDOM);
  usual_stack = USUAL_STACK;
  if (syscall (SYS_prlimit64, 0, RLIMIT_STACK, NULL, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    usual_stack = limit.rlim_cur < LARGEST_STACK ? limit.rlim_cur : LARGEST_STACK;
  if (where != LC_WHERE_NOTHING)
    lc_module_find ((const void *)getauxval (AT_ENTRY), false);
}

void
lc_sites_forget (void)
{
  lc_sites_lock = 0;
  known_codes = NULL;
  known_nodes = NULL;
  lc_modules_forget ();
}

void
lc_sites_renew (void)
{
  struct lc_slow slow;

  lc_slow_begin (&slow);
  lc_lock (&lc_sites_lock);
  __atomic_store_n (&generation, generation + 1, __ATOMIC_RELAXED);
  __atomic_add_fetch (&lc_sites_salt, UINT64_C (1) << 48, __ATOMIC_RELEASE);
  lc_unlock (&lc_sites_lock);
  lc_slow_end (&slow);
}

static inline uint32_t
sites_hash (uint64_t key)
{
  key *= UINT64_C (0x9E3779B97F4A7C15);
  return (uint32_t)(key >> 32);
}

static void *
sites_new_table (size_t head, size_t size, size_t room)
{
  void *memory =
      mmap (NULL, head + size * room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

  return memory == MAP_FAILED ? NULL : memory;
}

/* --- Places in the code --------------------------------------------------------------------------------------------
 */

static inline const struct code *
sites_known_code (uint64_t key)
{
  const struct code_table *table = __atomic_load_n (&known_codes, __ATOMIC_ACQUIRE);

  if (table == NULL)
    return NULL;
  for (uint32_t i = sites_hash (key);; i++)
    {
      const struct code *code = &table->places[i & table->mask];
      uint64_t there = __atomic_load_n (&code->key, __ATOMIC_ACQUIRE);

      if (LC_LIKELY (there == key) && LC_LIKELY (code->generation == __atomic_load_n (&generation, __ATOMIC_RELAXED)))
        return code;
      if (there == 0)
        return NULL;
    }
}

static struct code *
sites_free_code (struct code_table *table, uint64_t key)
{
  uint32_t i = sites_hash (key);

  while (table->places[i & table->mask].key != 0)
    i++;
  table->used++;
  return &table->places[i & table->mask];
}

/* Makes a table with room for what is still valid and as much again. */
static bool
sites_grow_codes (void)
{
  uint32_t room = FIRST_ROOM, n = 0;
  struct code_table *table;

  for (uint32_t i = 0; known_codes != NULL && i <= known_codes->mask; i++)
    n += known_codes->places[i].key != 0 && known_codes->places[i].generation == generation;
  while (room < 4 * n)
    room *= 2;
  if (room > MOST_ROOM || (table = sites_new_table (sizeof *table, sizeof table->places[0], room)) == NULL)
    return false;
  table->mask = room - 1;
  for (uint32_t i = 0; known_codes != NULL && i <= known_codes->mask; i++)
    if (known_codes->places[i].key != 0 && known_codes->places[i].generation == generation)
      *sites_free_code (table, known_codes->places[i].key) = known_codes->places[i];
  __atomic_store_n (&known_codes, table, __ATOMIC_RELEASE);
  return true;
}

static void
sites_fill_code (struct code *code, uint64_t key)
{
  uintptr_t address = (uintptr_t)(key & ~EXACT), within = (key & EXACT) != 0 ? address : address - 1;
  const struct lc_module *module = lc_module_find ((const void *)within, true);

  code->generation = generation;
  code->offset = address;
  if (module == NULL)
    return;
  code->is_known = true;
  code->module = module->record;
  code->offset = address - module->base;
  code->is_ours = module->is_ours;
  code->author = lc_module_author (module, within);
  if (module->frames == NULL || !lc_frame_rule_find (module->frames, &module->bounds, within, &code->rule))
    code->rule.cfa_base = LC_FRAME_NONE;
}

/* Describes a place that is not in the table. NULL: no room, or system calls are not allowed here. */
static const struct code *
sites_describe_code (struct lc_thread *thread, uint64_t key)
{
  const struct code *known;
  struct code found = {0}, *code = NULL;
  struct lc_slow slow;

  uint64_t begin;
  uint32_t listed;

  if (lc_is_sandboxed ())
    return NULL;
  listed = lc_modules_listed;
  begin = lc_now ();
  lc_slow_begin (&slow);
  lc_lock (&lc_sites_lock);
  known = sites_known_code (key);
  if (known == NULL && ((known_codes != NULL && known_codes->used < known_codes->mask / 2) || sites_grow_codes ()))
    {
      sites_fill_code (&found, key);
      code = sites_free_code (known_codes, key);
      memcpy (&code->generation, &found.generation, sizeof found - offsetof (struct code, generation));
      __atomic_store_n (&code->key, key, __ATOMIC_RELEASE);
      known = code;
    }
  lc_unlock (&lc_sites_lock);
  lc_slow_end (&slow);
  /* The reading of a module's symbols takes so long that it is recorded as the recorder's own time. */
  if (thread != NULL && thread->pause == 0 && lc_modules_listed != listed)
    thread->pause = begin;
  return known;
}

static inline const struct code *
sites_code (struct lc_thread *thread, uint64_t key)
{
  const struct code *code = sites_known_code (key);

  return LC_LIKELY (code != NULL) ? code : sites_describe_code (thread, key);
}

/* --- Records -------------------------------------------------------------------------------------------------------
 */

static inline uint64_t
sites_node_key (const struct node *node)
{
  return (node->offset + ((uint64_t)node->module << 40)) ^ (uint64_t)node->parent * UINT64_C (0xD6E8FEB86659FD93) ^
         (uint64_t)node->kind << 61;
}

static inline uint32_t
sites_known_node (const struct node *wanted)
{
  const struct node_table *table = __atomic_load_n (&known_nodes, __ATOMIC_ACQUIRE);

  if (table == NULL)
    return 0;
  for (uint32_t i = sites_hash (sites_node_key (wanted));; i++)
    {
      const struct node *node = &table->places[i & table->mask];
      uint32_t record = __atomic_load_n (&node->record, __ATOMIC_ACQUIRE);

      if (record == 0)
        return 0;
      if (node->offset == wanted->offset && node->module == wanted->module && node->parent == wanted->parent &&
          node->kind == wanted->kind)
        return record;
    }
}

static struct node *
sites_free_node (struct node_table *table, const struct node *wanted)
{
  uint32_t i = sites_hash (sites_node_key (wanted));

  while (table->places[i & table->mask].record != 0)
    i++;
  table->used++;
  return &table->places[i & table->mask];
}

static bool
sites_grow_nodes (void)
{
  uint32_t room = known_nodes == NULL ? FIRST_ROOM : 2 * (known_nodes->mask + 1);
  struct node_table *table;

  if (room > MOST_ROOM || (table = sites_new_table (sizeof *table, sizeof table->places[0], room)) == NULL)
    return false;
  table->mask = room - 1;
  for (uint32_t i = 0; known_nodes != NULL && i <= known_nodes->mask; i++)
    if (known_nodes->places[i].record != 0)
      *sites_free_node (table, &known_nodes->places[i]) = known_nodes->places[i];
  __atomic_store_n (&known_nodes, table, __ATOMIC_RELEASE);
  return true;
}

/* Makes the record. The table has room. */
static uint32_t
sites_write_node (const struct node *wanted)
{
  union
  {
    struct lc_site_record site;
    struct lc_object_record record;
  } as = {.site = {.object_class = LC_CLASS_SITE,
                   .kind = (uint8_t)wanted->kind,
                   .module = wanted->module,
                   .parent = wanted->parent,
                   .offset = wanted->offset}};
  uint32_t record = lc_object_new (&as.record, NULL);
  struct node *node;

  if (record == 0)
    return 0;
  node = sites_free_node (known_nodes, wanted);
  node->offset = wanted->offset;
  node->module = wanted->module;
  node->parent = wanted->parent;
  node->kind = wanted->kind;
  __atomic_store_n (&node->record, record, __ATOMIC_RELEASE);
  return record;
}

static inline struct node
sites_node_of (const struct code *code, enum lc_site_kind kind, uint32_t parent)
{
  return (struct node){.offset = code->offset, .module = code->module, .parent = parent, .kind = kind};
}

/* Finds or makes the record of a site, with the lock held; 0: there is no room for it, which is counted. */
static uint32_t
sites_make_node (const struct node *wanted)
{
  uint32_t record = sites_known_node (wanted);

  if (record == 0 && ((known_nodes != NULL && known_nodes->used < known_nodes->mask / 2) || sites_grow_nodes ()))
    record = sites_write_node (wanted);
  if (record == 0)
    __atomic_add_fetch (&lc_control->sites_missed, 1, __ATOMIC_RELAXED);
  return record;
}

static uint32_t
sites_node (const struct code *code, enum lc_site_kind kind, uint32_t parent)
{
  const struct node wanted = sites_node_of (code, kind, parent);
  uint32_t record = sites_known_node (&wanted);
  struct lc_slow slow;

  if (LC_LIKELY (record != 0) || lc_is_sandboxed ())
    return record;
  lc_slow_begin (&slow);
  lc_lock (&lc_sites_lock);
  record = sites_make_node (&wanted);
  lc_unlock (&lc_sites_lock);
  lc_slow_end (&slow);
  return record;
}

void
lc_site_find_start (struct lc_thread *thread, const void *function)
{
  const struct code *code = where != LC_WHERE_NOTHING ? sites_code (NULL, (uint64_t)(uintptr_t)function | EXACT) : NULL;

  if (code == NULL)
    return;
  thread->start_site = sites_node (code, LC_SITE_ENTRY, 0);
  thread->start_is_library = code->author != LC_AUTHOR_PROGRAM;
}

/* --- Walking up ----------------------------------------------------------------------------------------------------
 */

/* A frame of a stack, and the memory in which its callers' frames are. */
struct walk
{
  uint64_t key; /* of the place in the code */
  uintptr_t stack, frame;
  uintptr_t low, high;
};

void
lc_stack_begin (struct lc_thread *thread)
{
  uintptr_t here = (uintptr_t)__builtin_frame_address (0), self = (uintptr_t)__builtin_thread_pointer ();
  uintptr_t size = thread->stack_size != 0 ? thread->stack_size : usual_stack;

  thread->stack_top = self - here < size ? self : first_stack_top - here < size ? first_stack_top : 0;
  thread->stack_size = size;
}

/* Finds the memory that surely belongs to the stack: the thread's own, or when it runs on another, the rest of the
 * page. */
static void
walk_bound (struct walk *walk, const struct lc_thread *thread, uintptr_t stack)
{
  walk->low = stack;
  walk->high = (stack | (PAGE - 1)) + 1;
  if (LC_LIKELY (thread != NULL && thread->stack_top - stack < thread->stack_size))
    walk->high = thread->stack_top;
}

static inline bool
sites_load (const struct walk *walk, uintptr_t at, uintptr_t *value)
{
  if (LC_UNLIKELY (at < walk->low || at > walk->high - sizeof *value || (at & 7) != 0))
    return false;
  *value = *(const uintptr_t *)at;
  return true;
}

static inline uintptr_t
walk_base (const struct walk *walk, uint8_t base, uintptr_t cfa)
{
  return base == LC_FRAME_CFA ? cfa : base == LC_FRAME_STACK ? walk->stack : walk->frame;
}

/* Goes on by the frame pointer, where no rule is known. It may be none, so what it leads to must be code of a file. */
static bool
walk_by_frame (struct walk *walk)
{
  uintptr_t frame = walk->frame, address;
  const struct code *code;

  if (frame < walk->stack || !sites_load (walk, frame, &walk->frame) ||
      !sites_load (walk, frame + sizeof frame, &address))
    return false;
  walk->stack = frame + 2 * sizeof frame;
  walk->key = address;
  code = address != 0 ? sites_code (NULL, address) : NULL;
  return code != NULL && code->is_known;
}

/* Goes on to the caller. False: the stack ends here, or cannot be read; `is_root` tells which. */
static inline bool
walk_up (struct walk *walk, const struct lc_thread *thread, const struct code *code, bool *is_root)
{
  const struct lc_frame_rule *rule = &code->rule;
  uintptr_t cfa, frame = walk->frame, address = 0;

  *is_root = false;
  if (LC_UNLIKELY (rule->cfa_base == LC_FRAME_NONE))
    return code->is_known && walk_by_frame (walk);
  cfa = walk_base (walk, rule->cfa_base, 0) + (uintptr_t)(intptr_t)rule->cfa_offset;
  if (LC_UNLIKELY (rule->cfa_is_stored) && !sites_load (walk, cfa, &cfa))
    return false;
  if (LC_UNLIKELY (rule->return_base == LC_FRAME_NONE))
    *is_root = true;
  else if (!sites_load (walk, walk_base (walk, rule->return_base, cfa) + (uintptr_t)(intptr_t)rule->return_offset,
                        &address))
    return false;
  if (rule->frame_base != LC_FRAME_NONE &&
      !sites_load (walk, walk_base (walk, rule->frame_base, cfa) + (uintptr_t)(intptr_t)rule->frame_offset, &frame))
    return false;
  if (LC_UNLIKELY (address == 0))
    {
      *is_root = true;
      return false;
    }
  if (LC_UNLIKELY (rule->is_signal))
    {
      walk_bound (walk, thread, cfa);
      address |= EXACT;
    }
  else if (LC_UNLIKELY (cfa <= walk->stack))
    return false;
  walk->stack = cfa;
  walk->frame = frame;
  walk->key = address;
  return true;
}

/* Begins at the caller of the function with this frame. */
static inline void
walk_begin (struct walk *walk, const struct lc_thread *thread, const uintptr_t *frame)
{
  walk->frame = frame[0];
  walk->key = frame[1];
  walk->stack = (uintptr_t)(frame + 2);
  walk_bound (walk, thread, walk->stack);
}

/* --- Stacks --------------------------------------------------------------------------------------------------------
 */

/* The frames of a stack, innermost first. They are kept in the thread's state, because its stack may be small. */
struct frames
{
  const struct code **codes;
  int first, n; /* from `first` to before `n`: without libraries' at the inner end */
  bool is_whole;
  int outermost, outermost_own; /* that is no library's, and that is the program's alone; or -1 */
};

static void
frames_collect (struct frames *frames, struct lc_thread *thread, const uintptr_t *frame)
{
  int own = -1, library = -1;
  struct walk walk;

  frames->n = 0;
  frames->is_whole = false;
  frames->outermost = frames->outermost_own = -1;
  walk_begin (&walk, thread, frame);
  do
    {
      const struct code *code = sites_code (NULL, walk.key);

      if (code == NULL)
        break;
      if (own < 0 && code->author != LC_AUTHOR_LIBRARY)
        own = frames->n;
      if (code->author != LC_AUTHOR_LIBRARY)
        frames->outermost = frames->n;
      if (code->author == LC_AUTHOR_PROGRAM)
        frames->outermost_own = frames->n;
      if (library < 0 && !code->is_ours)
        library = frames->n;
      frames->codes[frames->n++] = code;
      if (!walk_up (&walk, thread, code, &frames->is_whole))
        break;
    }
  while (frames->n < LC_STACK_DEPTH);
  frames->first = own >= 0 ? own : library >= 0 ? library : frames->n;
}

static uint64_t
frames_hash (const struct code *const *codes, int first, int last, enum lc_site_kind outermost)
{
  uint64_t hash = __atomic_load_n (&lc_sites_salt, __ATOMIC_RELAXED) + (uint64_t)outermost;

  for (int i = first; i <= last; i++)
    {
      hash ^= codes[i]->key;
      hash *= UINT64_C (0x9E3779B97F4A7C15);
      hash ^= hash >> 29;
    }
  return hash | 1;
}

/* Makes the records, outermost first, and all that are missing at once: signals are blocked and let through once for a
 * stack, not for each of its frames. */
static uint32_t
frames_record (const struct code *const *codes, int first, int last, enum lc_site_kind outermost)
{
  uint32_t site = 0, known = 1;
  struct lc_slow slow;
  int i = last;

  for (; i >= first; i--, site = known)
    {
      const struct node wanted = sites_node_of (codes[i], i == last ? outermost : LC_SITE_INNER, site);

      known = sites_known_node (&wanted);
      if (known == 0)
        break;
    }
  if (i >= first && !lc_is_sandboxed ())
    {
      lc_slow_begin (&slow);
      lc_lock (&lc_sites_lock);
      for (known = 1; i >= first && known != 0; i--, site = known)
        {
          const struct node wanted = sites_node_of (codes[i], i == last ? outermost : LC_SITE_INNER, site);

          known = sites_make_node (&wanted);
        }
      lc_unlock (&lc_sites_lock);
      lc_slow_end (&slow);
    }
  return known != 0 ? site : sites_node (codes[first], LC_SITE_CALL, 0);
}

/* A thread that a library began (as that of C++ does) began for its author with the outermost function of the program's
 * own. */
static void
sites_correct_start (struct lc_thread *thread, const struct frames *frames)
{
  int first = frames->outermost_own >= 0 ? frames->outermost_own : frames->outermost;
  uint32_t site = first >= 0 ? frames_record (frames->codes, first, frames->outermost, LC_SITE_ENTRY) : 0;

  if (site == 0)
    return;
  thread->start_site = site;
  thread->header.start_site = site;
  if (thread->packet != NULL)
    thread->packet->start_site = site;
}

/* Looks for it at the thread's first call, for it may never wait. */
static void
sites_find_outermost (struct lc_thread *thread, const uintptr_t *frame)
{
  struct frames frames = {.codes = (const struct code **)thread->frames};

  thread->start_is_library = false;
  thread->is_collecting = true;
  LC_COMPILER_BARRIER ();
  frames_collect (&frames, thread, frame);
  LC_COMPILER_BARRIER ();
  thread->is_collecting = false;
  sites_correct_start (thread, &frames);
}

/* --- What the wrappers ask ------------------------------------------------------------------------------------------
 */

/* Returns the record of some frames, innermost first, of which the outermost's caller is not asked for. */
static uint32_t
sites_chain (struct lc_thread *thread, const struct code *const *codes, int n)
{
  uint64_t hash = frames_hash (codes, 0, n - 1, LC_SITE_CALL);
  struct lc_known_site *known = &thread->stacks[hash % LC_KNOWN_STACKS];
  uint32_t site;

  if (LC_LIKELY (known->key == hash))
    return known->site;
  site = frames_record (codes, 0, n - 1, LC_SITE_CALL);
  if (site != 0)
    *known = (struct lc_known_site){hash, site};
  return site;
}

/* Returns the record of a call by the program, which the next event of the kind finds at once. */
static uint32_t
sites_own_call (struct lc_thread *thread, const struct code *code, uint64_t key)
{
  uint32_t site = sites_node (code, LC_SITE_CALL, 0);

  if (site != 0)
    thread->sites[lc_site_place (key)] = (struct lc_known_site){key, site};
  return site;
}

/*
 * Finds the innermost call that is the program's, with the frames of its language's library within, of which only
 * debugging information tells whether they hold something of the program's. If there is none, the innermost call that
 * is not the recorder's.
 */
static uint32_t
sites_call (struct lc_thread *thread, const uintptr_t *frame)
{
  const uint64_t salt = __atomic_load_n (&lc_sites_salt, __ATOMIC_RELAXED);
  const struct code *library = NULL, *codes[LANGUAGE_DEPTH];
  struct walk walk;
  bool is_root;
  int n = 0;

  walk_begin (&walk, thread, frame);
  for (int depth = 0; depth < LIBRARY_DEPTH && n < LANGUAGE_DEPTH; depth++)
    {
      const struct lc_known_site *known = &thread->sites[lc_site_place (walk.key + salt)];
      const struct code *code;

      if (n == 0 && known->key == walk.key + salt)
        return known->site;
      code = sites_code (thread, walk.key);
      if (code == NULL)
        break;
      if (n == 0 && code->author == LC_AUTHOR_PROGRAM)
        return sites_own_call (thread, code, walk.key + salt);
      if (code->author != LC_AUTHOR_LIBRARY)
        codes[n++] = code;
      else if (library == NULL && !code->is_ours)
        library = code;
      if (code->author == LC_AUTHOR_PROGRAM || !walk_up (&walk, thread, code, &is_root))
        break;
    }
  if (n > 0)
    return sites_chain (thread, codes, n);
  return library != NULL ? sites_node (library, LC_SITE_CALL, 0) : 0;
}

uint32_t
lc_site_find (struct lc_thread *thread, const uintptr_t *frame)
{
  if (where == LC_WHERE_NOTHING)
    return 0;
  if (LC_UNLIKELY (thread->start_is_library) && !thread->is_collecting)
    sites_find_outermost (thread, frame);
  return where == LC_WHERE_ALL_STACKS ? lc_stack_find (thread, frame) : sites_call (thread, frame);
}

uint32_t
lc_stack_find (struct lc_thread *thread, const uintptr_t *frame)
{
  struct frames frames = {.codes = (const struct code **)thread->frames};
  struct lc_known_site *known;
  enum lc_site_kind outermost;
  uint64_t hash;
  uint32_t site = 0;

  if (where == LC_WHERE_NOTHING)
    return 0;
  if (where == LC_WHERE_SITES || thread->is_collecting) /* the latter: in a signal handler */
    return sites_call (thread, frame);
  if (LC_UNLIKELY (thread->start_is_library))
    sites_find_outermost (thread, frame);
  thread->is_collecting = true;
  LC_COMPILER_BARRIER ();
  frames_collect (&frames, thread, frame);
  outermost = frames.is_whole ? LC_SITE_ROOT : LC_SITE_CUT;
  hash = frames_hash (frames.codes, frames.first, frames.n - 1, outermost);
  known = &thread->stacks[hash % LC_KNOWN_STACKS];
  if (LC_LIKELY (known->key == hash))
    site = known->site;
  else if (frames.first < frames.n)
    site = frames_record (frames.codes, frames.first, frames.n - 1, outermost);
  LC_COMPILER_BARRIER ();
  thread->is_collecting = false;
  if (site != 0)
    *known = (struct lc_known_site){hash, site};
  return site;
}
