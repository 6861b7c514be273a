/* SPDX-License-Identifier: Apache-2.0 */
/* OpenMP programs of clang: regions, barriers and tasks, as its library tells a tool of them. */
#include "wrap-openmp-tool.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "hooks.h"
#include "ompt.h"
#include "slots.h"
#include "wrap-openmp-barrier.h"
#include "wrap-openmp-tasks.h"

enum
{
  MOST_FREE = 64,    /* blocks that a thread keeps */
  CHUNK = 64 * 1024, /* bytes */
};

/* A task, explicit or implicit, until it ends. */
struct tool_task
{
  struct lc_openmp_task task;
  struct lc_openmp_gathering gathering;
  bool is_explicit;

  struct lc_openmp_place place; /* of an implicit one ... */
  struct lc_openmp_arrival arrival;
  bool is_over;

  struct lc_openmp_made made; /* ... and of an explicit one */
  struct lc_openmp_run run;
  const void *taskloop; /* that it is of, or makes tasks of */
  const void *outer_taskloop;
  bool has_begun, was_inside, was_yielding;
  int ends; /* of the two of a detached one */
};

/* Memory for what the library carries along. */
union tool_block
{
  union tool_block *next; /* while it is free */
  struct tool_task task;
  struct lc_openmp_team team;
};

/* The calling thread's. */
static __thread struct
{
  union tool_block *free;
  uint32_t n_free;
  struct lc_suspension suspension;
  bool is_inside;
  const struct tool_task *made; /* the last; it may have ended */
  struct lc_openmp_team *team;  /* the innermost whose master it is */
  uint32_t depth;               /* number of regions that it has begun, recorded or not */
} tool_thread __attribute__ ((tls_model ("initial-exec")));

__thread const void *lc_openmp_forked __attribute__ ((tls_model ("initial-exec")));
__thread bool lc_openmp_has_made_task __attribute__ ((tls_model ("initial-exec")));
__thread const void *lc_openmp_taskloop __attribute__ ((tls_model ("initial-exec")));

static union tool_block *tool_blocks; /* that no thread keeps */
struct lc_openmp_code lc_openmp_code;

bool
lc_openmp_enter_library (void)
{
  bool was_inside = tool_thread.is_inside;

  if (!was_inside)
    lc_suspend (&tool_thread.suspension);
  tool_thread.is_inside = true;
  return was_inside;
}

bool
lc_openmp_leave_library (void)
{
  bool was_inside = tool_thread.is_inside;

  if (was_inside)
    lc_resume (&tool_thread.suspension);
  tool_thread.is_inside = false;
  return was_inside;
}

/* Tells whether the address is in the program, and not in the library or the recorder. */
static bool
tool_is_program (const void *address)
{
  return address != NULL && !lc_openmp_is_own (address) && !lc_openmp_is_caller (address);
}

bool
lc_openmp_is_known (const void *address, enum lc_class class)
{
  struct lc_thread *thread = lc_self != NULL ? lc_enter (class) : NULL;
  const struct lc_slot *slot = thread != NULL ? lc_slot_known (thread, lc_key (address, class)) : NULL;

  return slot != NULL && lc_slot_id (slot) != 0 && lc_slot_is_of (slot, address, class);
}

/* The library's mutexes may be where one of the program's was. */
void
lc_openmp_made (struct lc_thread *thread, const void *caller, const void *address, enum lc_class class, bool shared)
{
  if (LC_UNLIKELY (lc_openmp_is_caller (caller)))
    lc_object_end (thread, address, class);
  else
    lc_object_begin (thread, address, class, LC_KIND_PLAIN, shared, 0);
}

/* --- Memory ------------------------------------------------------------------------------------------------ */

static void
tool_give_blocks (union tool_block *first, union tool_block *last)
{
  union tool_block *head = __atomic_load_n (&tool_blocks, __ATOMIC_RELAXED);

  do
    last->next = head;
  while (!__atomic_compare_exchange_n (&tool_blocks, &head, first, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED));
}

static union tool_block *
tool_new_blocks (void)
{
  struct lc_slow slow;
  union tool_block *blocks;

  if (lc_is_sandboxed ())
    return NULL;
  lc_slow_begin (&slow);
  blocks = mmap (NULL, CHUNK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  lc_slow_end (&slow);
  if (blocks == MAP_FAILED)
    return NULL;
  for (size_t i = 0; i + 1 < CHUNK / sizeof *blocks; i++)
    blocks[i].next = &blocks[i + 1];
  return blocks;
}

/* Returns memory that is zero. NULL: there is none, and what it is for is not recorded. */
static void *
tool_take_block (void)
{
  union tool_block *block = tool_thread.free;

  if (block == NULL)
    {
      block = __atomic_exchange_n (&tool_blocks, NULL, __ATOMIC_ACQUIRE);
      tool_thread.n_free = 0;
      for (const union tool_block *at = block; at != NULL; at = at->next)
        tool_thread.n_free++;
    }
  if (block == NULL && (block = tool_new_blocks ()) != NULL)
    tool_thread.n_free = CHUNK / sizeof *block;
  if (block == NULL)
    {
      lc_count_lost (NULL, LC_LOST_OBJECTS);
      return NULL;
    }
  tool_thread.free = block->next;
  tool_thread.n_free--;
  memset (block, 0, sizeof *block);
  return block;
}

static void
tool_rest (void)
{
  union tool_block *first = tool_thread.free, *last = first;

  if (first == NULL)
    return;
  while (last->next != NULL)
    last = last->next;
  tool_thread.free = NULL;
  tool_thread.n_free = 0;
  tool_give_blocks (first, last);
}

/* Tasks may be made by one thread and end in another, so nobody keeps many. */
static void
tool_give_block (void *memory)
{
  union tool_block *block = memory;

  if (tool_thread.n_free >= MOST_FREE)
    tool_rest ();
  block->next = tool_thread.free;
  tool_thread.free = block;
  tool_thread.n_free++;
}

/* --- Threads and regions ----------------------------------------------------------------------------------- */

/* A worker is in the library but for its parts of regions. */
static void
tool_thread_begins (int kind, union lc_ompt_data *data)
{
  data->value = kind == LC_OMPT_THREAD_WORKER;
  if (data->value)
    lc_openmp_enter_library ();
}

static void
tool_thread_ends (union lc_ompt_data *data)
{
  if (data->value)
    lc_openmp_leave_library ();
  tool_rest ();
}

/* Who ends the program ends the library: which of its workers it then has to wake is chance, and none of the program's.
 */
static void
tool_after_end (void)
{
  lc_openmp_enter_library ();
}

/* A region of gcc's interface, which the library has too, is recorded by its wrapper. */
static void
tool_parallel_begins (union lc_ompt_data *encountering, const void *frame, union lc_ompt_data *parallel,
                      unsigned int threads, int flags, const void *code)
{
  const void *routine = lc_openmp_forked != NULL ? lc_openmp_forked : lc_ompt_line (code);
  struct lc_openmp_team *team;

  (void)encountering, (void)frame, (void)threads;
  parallel->pointer = NULL;
  lc_openmp_forked = NULL;
  tool_thread.depth++;
  if (!(flags & LC_OMPT_PARALLEL_TEAM) || code == NULL || lc_openmp_is_own (code) || lc_openmp_thread () == NULL)
    return;
  team = tool_take_block ();
  if (team == NULL)
    return;
  if (!lc_openmp_fork (team, (lc_openmp_routine *)(uintptr_t)routine, NULL))
    {
      tool_give_block (team);
      return;
    }
  team->caller = code;
  team->outer = tool_thread.team;
  team->depth = tool_thread.depth;
  parallel->pointer = tool_thread.team = team;
  lc_openmp_enter_library ();
}

/* The library may have given its own memory of the region to another one. */
static void
tool_parallel_ends (union lc_ompt_data *parallel, union lc_ompt_data *encountering, int flags, const void *code)
{
  struct lc_openmp_team *team = tool_thread.team;
  const bool is_recorded = team != NULL && team->depth == tool_thread.depth;

  (void)parallel, (void)encountering, (void)flags, (void)code;
  lc_openmp_leave_library ();
  tool_thread.depth--;
  if (!is_recorded)
    return;
  tool_thread.team = team->outer;
  lc_openmp_join (team);
  tool_give_block (team);
}

static void
tool_part_begins (struct lc_openmp_team *team, union lc_ompt_data *data, uint32_t size, uint32_t number)
{
  struct lc_thread *thread = lc_openmp_thread ();
  struct tool_task *implicit = tool_take_block ();

  if (thread != team->master)
    lc_openmp_started (thread, team, size, number);
  data->pointer = implicit;
  if (implicit == NULL)
    return;
  implicit->place.team = team;
  implicit->place.outer = lc_openmp_place;
  implicit->place.size = size;
  lc_openmp_place = &implicit->place;
  lc_openmp_task_begin (&implicit->task, team, NULL);
}

static void
tool_part_ends (struct tool_task *implicit)
{
  struct lc_openmp_team *team = implicit->place.team;
  struct lc_thread *thread = lc_openmp_thread ();

  if (implicit->is_over)
    return;
  implicit->is_over = true;
  if (lc_openmp_task == &implicit->task)
    lc_openmp_task_end (&implicit->task);
  if (lc_openmp_place == &implicit->place)
    lc_openmp_place = implicit->place.outer;
  if (thread == team->master)
    lc_openmp_master_ended (team, &implicit->place);
  else
    lc_openmp_ended (thread, team);
}

/* The end of a worker's implicit task is told when it is wanted again, and its team may be gone. */
static void
tool_implicit_task (int scope, union lc_ompt_data *parallel, union lc_ompt_data *data, unsigned int threads,
                    unsigned int index, int flags)
{
  if (!(flags & LC_OMPT_TASK_IMPLICIT))
    return;
  if (scope == LC_OMPT_BEGIN)
    {
      lc_openmp_leave_library ();
      data->pointer = NULL;
      if (parallel->pointer != NULL)
        tool_part_begins (parallel->pointer, data, threads, index);
    }
  else if (data->pointer != NULL)
    {
      tool_part_ends (data->pointer);
      tool_give_block (data->pointer);
      data->pointer = NULL;
    }
}

static void
tool_cancel (union lc_ompt_data *data, int flags, const void *code)
{
  (void)data, (void)code;
  if ((flags & LC_OMPT_CANCEL_PARALLEL) && (flags & LC_OMPT_CANCEL_ACTIVATED) && lc_openmp_place != NULL)
    __atomic_store_n (&lc_openmp_place->team->is_cancelled, true, __ATOMIC_RELAXED);
}

/* --- Waiting ----------------------------------------------------------------------------------------------- */

/* A call that was the function's last returns into the library: the place of the region is the best that is known. */
static inline LC_ALWAYS_INLINE void
tool_arrive (struct tool_task *implicit, const void *code)
{
  struct lc_openmp_arrival *arrival = &implicit->arrival;

  lc_openmp_arrive (arrival, true);
  if (arrival->thread == NULL || tool_is_program (code))
    return;
  arrival->site = implicit->place.team->site;
  if (!(arrival->flags & LC_EVENT_CONTENDED))
    return;
  arrival->thread->waiting_site = implicit->place.team->site;
  arrival->thread->packet->pending_site = implicit->place.team->site;
}

static inline LC_ALWAYS_INLINE void
tool_begin_wait (int kind, struct tool_task *task, const void *code)
{
  const struct lc_openmp_group *group;

  if (kind == LC_OMPT_SYNC_TASKWAIT && task->task.made > 0)
    task->gathering = lc_openmp_begin_gathering (&task->task, task->task.wait);
  else if (kind == LC_OMPT_SYNC_TASKGROUP && (group = lc_openmp_own_group (&task->task)) != NULL)
    task->gathering = lc_openmp_begin_gathering (&task->task, group->wait);
  else if (kind == LC_OMPT_SYNC_TASKWAIT || kind == LC_OMPT_SYNC_TASKGROUP || task->is_explicit)
    return;
  else if (lc_ompt_ends_region (kind, code, task->place.team->caller))
    tool_part_ends (task);
  else
    tool_arrive (task, code);
}

static inline LC_ALWAYS_INLINE void
tool_end_wait (int kind, struct tool_task *task)
{
  const struct lc_openmp_group *group;

  if (kind == LC_OMPT_SYNC_TASKWAIT)
    {
      lc_openmp_end_gathering (&task->gathering, task->task.made);
      task->task.made = 0;
    }
  else if (kind == LC_OMPT_SYNC_TASKGROUP)
    {
      group = lc_openmp_own_group (&task->task);
      lc_openmp_end_gathering (&task->gathering, group != NULL ? group->ended : 0);
    }
  else if (task->is_explicit || task->is_over)
    return;
  else if (__atomic_load_n (&task->place.team->is_cancelled, __ATOMIC_RELAXED))
    lc_openmp_cancelled (&task->arrival);
  else
    lc_openmp_leave (&task->arrival);
  task->gathering = (struct lc_openmp_gathering){0};
}

/* A worker stays in the library after the end of its part. */
static void
tool_sync_wait (int kind, int scope, union lc_ompt_data *parallel, union lc_ompt_data *data, const void *code)
{
  struct tool_task *task = data != NULL ? data->pointer : NULL;

  (void)parallel;
  if (task == NULL || kind > LC_OMPT_SYNC_BARRIER_PARALLEL)
    return;
  if (scope == LC_OMPT_BEGIN)
    {
      tool_begin_wait (kind, task, code);
      lc_openmp_enter_library ();
    }
  else if (!task->is_over)
    {
      lc_openmp_leave_library ();
      tool_end_wait (kind, task);
    }
}

static void
tool_sync_region (int kind, int scope, union lc_ompt_data *parallel, union lc_ompt_data *data, const void *code)
{
  struct tool_task *task = data != NULL ? data->pointer : NULL;

  (void)parallel, (void)code;
  if (task == NULL || kind != LC_OMPT_SYNC_TASKGROUP)
    return;
  if (scope == LC_OMPT_BEGIN)
    lc_openmp_begin_group (&task->task);
  else
    lc_openmp_end_group (&task->task);
}

/* --- Tasks ------------------------------------------------------------------------------------------------- */

/* The library may call itself for the tasks of a loop. */
static void
tool_task_create (union lc_ompt_data *encountering, const void *frame, union lc_ompt_data *data, int flags, int depends,
                  const void *code)
{
  struct tool_task *task;

  (void)frame, (void)depends;
  data->pointer = NULL;
  if (!(flags & LC_OMPT_TASK_EXPLICIT) || encountering == NULL || encountering->pointer == NULL)
    return;
  if (!tool_is_program (code) && lc_openmp_taskloop != NULL)
    code = lc_openmp_taskloop;
  task = tool_take_block ();
  if (task == NULL)
    return;
  task->is_explicit = true;
  task->taskloop = lc_openmp_taskloop;
  task->made.is_undeferred = (flags & LC_OMPT_TASK_UNDEFERRED) != 0;
  if (lc_openmp_make (&task->made, lc_ompt_line (code), true))
    {
      data->pointer = task;
      tool_thread.made = task;
      lc_openmp_has_made_task = true;
    }
  else
    tool_give_block (task);
}

/* Iterations of loops have dependences as well, of other types. */
static void
tool_dependences (union lc_ompt_data *data, const struct lc_ompt_dependence *dependences, int n)
{
  struct tool_task *task = data->pointer;

  if (task == NULL || !task->is_explicit || task->has_begun)
    return;
  for (int i = 0; i < n; i++)
    if (dependences[i].type >= LC_OMPT_DEPENDENCE_IN && dependences[i].type <= LC_OMPT_DEPENDENCE_INOUT)
      lc_openmp_depend (&task->made.dependences, dependences[i].variable.pointer,
                        dependences[i].type != LC_OMPT_DEPENDENCE_IN);
}

/* A thread that does not wait within the library is where it has made the task. */
static void
tool_task_begins (struct tool_task *task)
{
  const struct lc_openmp_made *outer = lc_openmp_making;

  task->has_begun = true;
  task->outer_taskloop = lc_openmp_taskloop;
  lc_openmp_taskloop = task->taskloop;
  task->was_inside = lc_openmp_leave_library ();
  lc_openmp_making = !task->was_inside && lc_openmp_has_made_task && tool_thread.made == task ? &task->made : NULL;
  lc_openmp_task_starts (&task->run, &task->made, &task->task);
  lc_openmp_making = outer;
  task->was_yielding = lc_openmp_is_yielding;
  lc_openmp_is_yielding = false;
}

/* A detached task ends twice: its code, and when the event is fulfilled, perhaps by another thread at the same time. */
static void
tool_task_ends (union lc_ompt_data *data, int status)
{
  struct tool_task *task = data->pointer;
  bool is_whole = status == LC_OMPT_TASK_COMPLETE || status == LC_OMPT_TASK_CANCELLED;
  bool was_inside;

  if (status == LC_OMPT_TASK_LATE_FULFILLED)
    {
      was_inside = lc_openmp_leave_library ();
      if (lc_openmp_thread () != NULL && task->made.instance == lc_instance)
        lc_openmp_task_is_done (lc_openmp_thread (), &task->made);
      if (was_inside)
        lc_openmp_enter_library ();
    }
  else
    {
      if (lc_openmp_task == &task->task)
        lc_openmp_task_end (&task->task);
      lc_openmp_task_ends (&task->run, &task->made, is_whole);
      lc_openmp_taskloop = task->outer_taskloop;
      lc_openmp_is_yielding = task->was_yielding;
      if (task->was_inside)
        lc_openmp_enter_library ();
    }
  if (is_whole || __atomic_add_fetch (&task->ends, 1, __ATOMIC_ACQ_REL) == 2)
    tool_give_block (task);
}

static void
tool_task_schedule (union lc_ompt_data *before, int status, union lc_ompt_data *next)
{
  struct tool_task *ended = before != NULL ? before->pointer : NULL;
  struct tool_task *begun = next != NULL ? next->pointer : NULL;

  if (ended != NULL && ended->is_explicit &&
      (status == LC_OMPT_TASK_LATE_FULFILLED ||
       (ended->has_begun &&
        (status == LC_OMPT_TASK_COMPLETE || status == LC_OMPT_TASK_CANCELLED || status == LC_OMPT_TASK_DETACHED))))
    tool_task_ends (before, status);
  if (begun != NULL && begun->is_explicit && !begun->has_begun)
    tool_task_begins (begun);
}

/* --- The tool ---------------------------------------------------------------------------------------------- */

static int
tool_begin (lc_ompt_lookup *lookup, int device, union lc_ompt_data *data)
{
  static const struct
  {
    enum lc_ompt_event event;
    lc_ompt_function *callback;
  } callbacks[] = {{LC_OMPT_THREAD_BEGIN, (lc_ompt_function *)tool_thread_begins},
                   {LC_OMPT_THREAD_END, (lc_ompt_function *)tool_thread_ends},
                   {LC_OMPT_PARALLEL_BEGIN, (lc_ompt_function *)tool_parallel_begins},
                   {LC_OMPT_PARALLEL_END, (lc_ompt_function *)tool_parallel_ends},
                   {LC_OMPT_IMPLICIT_TASK, (lc_ompt_function *)tool_implicit_task},
                   {LC_OMPT_TASK_CREATE, (lc_ompt_function *)tool_task_create},
                   {LC_OMPT_TASK_SCHEDULE, (lc_ompt_function *)tool_task_schedule},
                   {LC_OMPT_DEPENDENCES, (lc_ompt_function *)tool_dependences},
                   {LC_OMPT_SYNC_REGION, (lc_ompt_function *)tool_sync_region},
                   {LC_OMPT_SYNC_REGION_WAIT, (lc_ompt_function *)tool_sync_wait},
                   {LC_OMPT_CANCEL, (lc_ompt_function *)tool_cancel}};
  lc_ompt_set_callback *set = (lc_ompt_set_callback *)lookup ("ompt_set_callback");

  (void)device, (void)data;
  if (set == NULL)
    return 0;
  for (size_t i = 0; i < sizeof callbacks / sizeof callbacks[0]; i++)
    set (callbacks[i].event, callbacks[i].callback);
  return 1;
}

static void
tool_end (union lc_ompt_data *data)
{
  (void)data;
}

/* Threads may look at the code all the time. */
static void
tool_note_code (const struct dl_find_object *library)
{
  __atomic_store_n (&lc_openmp_code.size, 0, __ATOMIC_RELEASE);
  if (!lc_openmp_is_clang_library (library->dlfo_link_map->l_name))
    return;
  __atomic_store_n (&lc_openmp_code.start, (uintptr_t)library->dlfo_map_start, __ATOMIC_RELEASE);
  __atomic_store_n (&lc_openmp_code.size, (size_t)((char *)library->dlfo_map_end - (char *)library->dlfo_map_start),
                    __ATOMIC_RELEASE);
}

void
lc_openmp_forget_code (void)
{
  struct dl_find_object library;

  if (lc_openmp_code.size != 0 && _dl_find_object ((void *)lc_openmp_code.start, &library) != 0)
    __atomic_store_n (&lc_openmp_code.size, 0, __ATOMIC_RELEASE);
}

/* Another tool of the program's, or one that its user asks for, goes first. The library's name for itself is in it,
 * whoever calls. */
struct lc_ompt_tool *ompt_start_tool (unsigned int version, const char *runtime);

LC_EXPORT struct lc_ompt_tool *
ompt_start_tool (unsigned int version, const char *runtime)
{
  static struct lc_ompt_tool tool = {.begin = tool_begin, .end = tool_end};
  __typeof__ (ompt_start_tool) *other = (__typeof__ (ompt_start_tool) *)dlsym (RTLD_NEXT, "ompt_start_tool");
  struct lc_ompt_tool *others = other != NULL ? other (version, runtime) : NULL;
  const char *wanted = getenv ("OMP_TOOL_LIBRARIES");
  struct dl_find_object library;

  if (others != NULL)
    return others;
  if (wanted != NULL && wanted[0] != '\0')
    return NULL;
  if (!lc_openmp_records (LC_CLASS_TEAM) && !lc_openmp_records (LC_CLASS_BARRIER) && !lc_openmp_records (LC_CLASS_TASK))
    return NULL;
  if (_dl_find_object ((void *)(uintptr_t)runtime, &library) != 0)
    return NULL;
  lc_after_end = tool_after_end;
  tool_note_code (&library);
  return &tool;
}
