/* SPDX-License-Identifier: Apache-2.0 */
/* Marks that a program makes in its recording. */
#include "program.h"

bool
lc_recording (void)
{
  const struct lc_hooks *hooks = lc_program_recorder ();

  return hooks != NULL && __atomic_load_n (hooks->classes, __ATOMIC_RELAXED) != 0;
}

static void
program_mark_set_paused (bool paused)
{
  const struct lc_hooks *hooks = lc_program_recorder ();

  if (hooks != NULL && hooks->version >= 4)
    hooks->set_paused (paused);
}

void
lc_record_stop (void)
{
  program_mark_set_paused (true);
}

void
lc_record_start (void)
{
  program_mark_set_paused (false);
}

void
lc_tag (uint32_t value)
{
  const struct lc_hooks *hooks = lc_program_recorder_of (LC_CLASS_MARK);

  if (LC_UNLIKELY (hooks != NULL))
    hooks->tag (value);
}

void
lc_enter (const char *name)
{
  const struct lc_hooks *hooks = lc_program_recorder_of (LC_CLASS_MARK);

  if (LC_UNLIKELY (hooks != NULL))
    hooks->enter (name);
}

void
lc_leave (const char *name)
{
  const struct lc_hooks *hooks = lc_program_recorder_of (LC_CLASS_MARK);

  if (LC_UNLIKELY (hooks != NULL))
    hooks->leave (name);
}

void
lc_name_process (const char *name)
{
  if (lc_recording ())
    lc_program_recorder ()->name_process (name);
}

void
lc_name_object (const void *address, const char *name)
{
  const struct lc_hooks *hooks = lc_program_recorder ();

  if (hooks != NULL && hooks->version >= 5)
    hooks->name_object (address, name);
}

void
lc_snapshot (const char *name, const double *matrix, size_t rows, size_t columns)
{
  const struct lc_hooks *hooks = lc_program_recorder_of (LC_CLASS_MARK);

  if (LC_UNLIKELY (hooks != NULL))
    hooks->snapshot (name, matrix, rows, columns);
}
