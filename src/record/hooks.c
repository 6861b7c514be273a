/* SPDX-License-Identifier: Apache-2.0 */
/* What the library that a program links finds here: see hooks.h. */
#include "hooks.h"

#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "recorder.h"

static enum lc_class
class_of (uint16_t operation)
{
  static const uint8_t classes[LC_OPERATION_END] = {
#define X(identifier, number, name, class, layout) [number] = LC_CLASS_##class,
      LC_OPERATIONS (X)
#undef X
  };

  return operation < LC_OPERATION_END ? classes[operation] : LC_CLASS_NONE;
}

static uint64_t
word_of (uint16_t operation, uint64_t sequence, uint64_t value)
{
  return class_of (operation) == LC_CLASS_CHANNEL ? lc_message_word (sequence, value) : lc_word (sequence, value);
}

static uint32_t
hook_object (enum lc_class class, const char *name, const void *address, uint64_t value)
{
  struct lc_object_record record = {.object_class = (uint8_t) class,
                                    .kind = LC_KIND_LIBRARY,
                                    .address = (uint64_t)(uintptr_t)address,
                                    .value = value};
  struct lc_slow slow;
  uint32_t id;

  if (lc_enter (class) == NULL)
    return 0;
  lc_slow_begin (&slow);
  id = lc_object_new (&record, name);
  lc_slow_end (&slow);
  return id;
}

/* The program's own marks and operations tell how long what is before them takes: it has to be done by then. */
static uint64_t
hook_now (void)
{
  return lc_now_after ();
}

static void
hook_block (uint16_t operation, uint32_t object, uint64_t sequence, uint64_t begin)
{
  struct lc_thread *thread = lc_enter (class_of (operation));

  if (thread != NULL)
    lc_block (thread, operation, object, sequence, begin);
}

static void
hook_acquire (uint16_t operation, uint32_t object, uint64_t sequence, uint64_t value, uint64_t begin, uint8_t flags)
{
  struct lc_thread *thread = lc_enter (class_of (operation));

  if (thread == NULL)
    return;
  lc_unblock (thread);
  if (LC_UNLIKELY (object == 0))
    lc_count_lost (thread, LC_LOST_OBJECTS);
  else
    lc_append (thread, operation, object, flags, word_of (operation, sequence, value), begin, lc_now_after ());
}

static void
hook_release (uint16_t operation, uint32_t object, uint64_t sequence, uint64_t value, uint64_t at)
{
  struct lc_thread *thread = lc_enter (class_of (operation));

  if (thread == NULL)
    return;
  if (LC_UNLIKELY (object == 0))
    lc_count_lost (thread, LC_LOST_OBJECTS);
  else
    lc_append (thread, operation, object, 0, word_of (operation, sequence, value), at, at);
}

static void
hook_tag (uint32_t value)
{
  struct lc_thread *thread = lc_enter (LC_CLASS_MARK);

  if (LC_LIKELY (thread != NULL))
    lc_append_mark (thread, LC_TAG, value, lc_now_after ());
}

static uint32_t
region_record (struct lc_thread *thread, const char *name)
{
  struct lc_slot *slot = lc_slot_at (thread, name, LC_CLASS_MARK);
  struct lc_object_record record = {.object_class = LC_CLASS_MARK, .kind = LC_KIND_LIBRARY};
  struct lc_slow slow;
  uint32_t id;

  if (LC_UNLIKELY (slot == NULL))
    return 0;
  id = lc_slot_id (slot);
  if (LC_UNLIKELY (id == 0))
    {
      record.address = (uint64_t)(uintptr_t)name;
      lc_slow_begin (&slow);
      id = lc_object_new (&record, name);
      __atomic_store_n (&slot->id, id, __ATOMIC_RELEASE);
      lc_slow_end (&slow);
    }
  return id;
}

static void
region_edge (uint16_t operation, const char *name, uint64_t at)
{
  struct lc_thread *thread = lc_enter (LC_CLASS_MARK);
  uint32_t record;

  if (thread == NULL)
    return;
  record = region_record (thread, name);
  if (LC_UNLIKELY (record == 0))
    lc_count_lost (thread, LC_LOST_OBJECTS);
  else
    lc_append_mark (thread, operation, record, at != 0 ? at : lc_now_after ());
}

static void
hook_enter (const char *name)
{
  region_edge (LC_ENTER, name, 0);
}

/* The end of a region is when the program says so, not when we have found its record. */
static void
hook_leave (const char *name)
{
  region_edge (LC_LEAVE, name, lc_now_after ());
}

static void
hook_name_process (const char *name)
{
  struct lc_thread *thread = lc_classes != 0 ? lc_self : NULL;

  if (thread == NULL && lc_classes != 0)
    thread = lc_enter_slow (UINT32_MAX);
  if (thread != NULL && name != NULL)
    lc_stream_name (thread, name);
}

static bool
write_all (int file, const void *data, size_t bytes)
{
  const char *at = data;

  while (bytes > 0)
    {
      long written = lc_file_grow (SYS_write, file, (uint64_t)(uintptr_t)at, bytes, 0);

      if (written <= 0)
        return false;
      at += written;
      bytes -= (size_t)written;
    }
  return true;
}

static bool
write_snapshot (uint32_t number, const char *name, const double *matrix, size_t rows, size_t columns)
{
  static const char padding[8];
  struct lc_snapshot_header header = {.version = LC_FORMAT_VERSION, .rows = rows, .columns = columns};
  size_t length = strlen (name);
  int file = lc_file_open ("snapshots/", number, O_WRONLY | O_CREAT | O_TRUNC);
  bool written;

  if (file < 0 && lc_file_folder ("snapshots"))
    file = lc_file_open ("snapshots/", number, O_WRONLY | O_CREAT | O_TRUNC);
  if (file < 0)
    return false;
  memcpy (header.magic, "LCMATRIX", sizeof header.magic);
  header.name_length = (uint32_t)length;
  written = write_all (file, &header, sizeof header) && write_all (file, name, length) &&
            write_all (file, padding, (8 - length % 8) % 8) &&
            write_all (file, matrix, rows * columns * sizeof *matrix);
  if (!written)
    lc_file_resize (file, 0);
  lc_file_close (file);
  return written;
}

static void
hook_snapshot (const char *name, const double *matrix, size_t rows, size_t columns)
{
  struct lc_thread *thread = lc_enter (LC_CLASS_MARK);
  uint64_t begin = lc_now ();
  struct lc_slow slow;
  uint32_t number, record;
  bool written;

  if (thread == NULL || name == NULL)
    return;
  record = region_record (thread, name);
  number = __atomic_fetch_add (&lc_control->next_snapshot, 1, __ATOMIC_RELAXED);
  lc_slow_begin (&slow);
  written = write_snapshot (number, name, matrix, rows, columns);
  lc_slow_end (&slow);
  if (written && record != 0)
    lc_append (thread, LC_SNAPSHOT, record, 0, lc_word (number, 0), begin, lc_now_after ());
  else
    lc_count_lost (thread, written ? LC_LOST_OBJECTS : LC_LOST_DISK);
}

extern const struct lc_hooks lc_record_hooks_1;

LC_EXPORT const struct lc_hooks lc_record_hooks_1 = {
    .version = LC_HOOKS_VERSION,
    .classes = &lc_classes,
    .instance = &lc_instance,
    .object = hook_object,
    .now = hook_now,
    .block = hook_block,
    .acquire = hook_acquire,
    .release = hook_release,
    .tag = hook_tag,
    .enter = hook_enter,
    .leave = hook_leave,
    .name_process = hook_name_process,
    .snapshot = hook_snapshot,
};
