/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks of OpenMP that are kept until the thread that carried them out has them next in its history. */
#ifndef LC_RECORD_REPLAY_OPENMP_TASKS_H
#define LC_RECORD_REPLAY_OPENMP_TASKS_H

#include "replay-openmp.h"

enum
{
  LC_REPLAY_NEEDS = 8, /* dependences of a task that are recorded */
};

/* The variables that a task depends on. */
struct lc_replay_needs
{
  uint32_t n;
  bool is_too_many;
  const void *addresses[LC_REPLAY_NEEDS];
};

/* A task until its end. What is the compiler's own comes behind it. */
struct lc_replay_task
{
  struct lc_replay_task *next, *before;       /* of those that nobody has begun */
  void (*call) (struct lc_replay_task *task); /* hands it to the library as one to carry out at once */
  const void *construct;                      /* the address of its object */
  struct lc_replay_team *team;
  struct lc_replay_context *maker;
  uintptr_t caller;
  uint32_t number; /* object of the plan */
  uint32_t index;  /* within the tasks of a loop */
  bool is_counted, is_in_group;
  struct lc_replay_needs needs;
};

/* Returns what the calling thread carries out. NULL: OpenMP has no turns, or it is in no team. */
struct lc_replay_context *lc_replay_openmp_context (void);

bool lc_replay_is_in_group (const struct lc_replay_context *context);

/* Adds a variable. */
void lc_replay_need (struct lc_replay_needs *needs, const void *address);

/* Waits for some variables, as a task that depends on them and does nothing. */
void lc_replay_wait_for (const struct lc_replay_needs *needs, uintptr_t caller);

/* Begins to make tasks. NULL: the thread has no turn, and carries them out by itself. */
const struct lc_replay_event *lc_replay_make_begin (const void *construct, uintptr_t caller);

/* Makes the calling thread's context that of the task's maker. */
void lc_replay_task_made (struct lc_replay_task *task, struct lc_replay_context *maker);

/* Keeps a task until it has its turn. */
void lc_replay_task_keep (struct lc_replay_task *task);

/* Carries out a task that its maker has carried out at once, and what it did while that had to wait. */
void lc_replay_run_own (uint32_t number, bool must_come);

/* Tell the begin of a task, after so many events of what it depends on, and its end. */
void lc_replay_task_begins (const struct lc_replay_task *task, uint32_t n_needs);
void lc_replay_task_ends (const struct lc_replay_task *task, uint32_t n_needs);

/* The task has ended, and its memory is given back. */
void lc_replay_task_forget (struct lc_replay_task *task);

/* Waits for tasks; in a program that is free, for those that the calling one has made. */
void lc_replay_gather (struct lc_replay_context *context, uintptr_t caller);

/* Waits for the tasks that the calling one has made since the last wait. */
void lc_replay_task_wait (uintptr_t caller);

/* A group of tasks, which its end waits for. */
void lc_replay_group_begin (uintptr_t caller);
void lc_replay_group_end (uintptr_t caller);

#endif
