/* SPDX-License-Identifier: Apache-2.0 */
/* The table of operations, built from that of trace-format.h. */
#include "operations.h"

#include <stddef.h>
#include <string.h>

#define IS_ORDERED(number) \
  ((number) == LC_PIPE_READ || (number) == LC_PIPE_WRITE || (number) == LC_SIGNAL_SEND || (number) == LC_SIGNAL_RECEIVE)

/* Failed attempts have no place in the order, nor have operations on threads, nor marks except snapshots, which are
 * numbered, nor what leaves the program other than by a pipe or a signal. */
#define HAS_SEQUENCE(number, class) \
  ((class) == LC_CLASS_THREAD || ((class) == LC_CLASS_IO && !IS_ORDERED (number)) || \
           ((class) == LC_CLASS_MARK && (number) != LC_SNAPSHOT) || (number) == LC_LOCK_FAILED || \
           (number) == LC_READ_FAILED || (number) == LC_WRITE_FAILED || (number) == LC_WAIT_FAILED || \
           (number) == LC_CONDITION_WAIT_FAILED || (number) == LC_FUTEX_WAIT_FAILED \
       ? 0 \
       : LC_TRACE_EVENT_SEQUENCE)

#define HAS_VALUE(number, class) \
  ((number) == LC_WRITE_START || (number) == LC_BARRIER || (number) == LC_TAG || (number) == LC_TEAM_START || \
           (number) == LC_TEAM_JOIN || (number) == LC_CHUNK || (number) == LC_TASK_WAIT || (number) == LC_POLL || \
           (number) == LC_CHILD_WAIT || (number) == LC_SIGNAL_WAIT || (number) == LC_SIGNAL_SEND || \
           (number) == LC_SIGNAL_RECEIVE || (class) == LC_CLASS_FUTEX || (class) == LC_CLASS_COLLECTIVE \
       ? LC_TRACE_EVENT_VALUE \
       : 0)

#define SIZE_MARK sizeof (struct lc_event_mark)
#define SIZE_SYNC sizeof (struct lc_event_sync)
#define SIZE_MESSAGE sizeof (struct lc_event_sync)
#define SIZE_COLLECTIVE sizeof (struct lc_event_collective)
#define SIZE_TAG sizeof (struct lc_event_tag)

/* Before version 3 of the format, events had no sites. */
#define SITELESS_SIZE_MARK SIZE_MARK
#define SITELESS_SIZE_SYNC offsetof (struct lc_event_sync, site)
#define SITELESS_SIZE_MESSAGE SITELESS_SIZE_SYNC
#define SITELESS_SIZE_COLLECTIVE (SITELESS_SIZE_SYNC + sizeof (uint64_t))
#define SITELESS_SIZE_TAG offsetof (struct lc_event_tag, site)

/* Before version 2 of the format, collective events had no number of bytes. */
#define OLD_SIZE_MARK SITELESS_SIZE_MARK
#define OLD_SIZE_SYNC SITELESS_SIZE_SYNC
#define OLD_SIZE_MESSAGE SITELESS_SIZE_MESSAGE
#define OLD_SIZE_COLLECTIVE SITELESS_SIZE_SYNC
#define OLD_SIZE_TAG SITELESS_SIZE_TAG

#define BYTES_MARK 0
#define BYTES_SYNC 0
#define BYTES_MESSAGE LC_TRACE_EVENT_BYTES
#define BYTES_COLLECTIVE LC_TRACE_EVENT_BYTES
#define BYTES_TAG 0

const LcOperationInfo lc_operations[LC_OPERATION_END] = {
#define X(identifier, number, text, class, bytes) \
  [number] = {.name = text, \
              .operation_class = LC_CLASS_##class, \
              .layout = LC_LAYOUT_##bytes, \
              .flags = \
                  HAS_SEQUENCE (number, LC_CLASS_##class) | HAS_VALUE (number, LC_CLASS_##class) | BYTES_##bytes},
    LC_OPERATIONS (X)
#undef X
};

static const guint8 sizes[LC_OPERATION_END] = {
#define X(identifier, number, text, class, bytes) [number] = SIZE_##bytes,
    LC_OPERATIONS (X)
#undef X
};

static const guint8 siteless_sizes[LC_OPERATION_END] = {
#define X(identifier, number, text, class, bytes) [number] = SITELESS_SIZE_##bytes,
    LC_OPERATIONS (X)
#undef X
};

static const guint8 old_sizes[LC_OPERATION_END] = {
#define X(identifier, number, text, class, bytes) [number] = OLD_SIZE_##bytes,
    LC_OPERATIONS (X)
#undef X
};

gboolean
lc_operation_counts_tries (guint16 operation)
{
  return operation == LC_LOCK_FAILED || operation == LC_READ_FAILED || operation == LC_WRITE_FAILED ||
         operation == LC_WAIT_FAILED;
}

gboolean
lc_operation_counts_tests (guint16 operation)
{
  return operation == LC_TEST_FAILED || operation == LC_PROBE_FAILED || operation == LC_FINISH_FAILED;
}

const guint8 *
lc_operations_get_sizes (guint64 version)
{
  if (version >= 3)
    return sizes;
  return version == 2 ? siteless_sizes : old_sizes;
}

const char *const lc_class_names[LC_CLASSES] = {
#define X(name) name,
    LC_CLASS_NAMES (X)
#undef X
};

enum lc_operation
lc_operation_find (const char *name, gsize length)
{
  for (guint i = 1; i < LC_OPERATION_END; i++)
    {
      const char *other = lc_operations[i].name;

      if (other != NULL && strlen (other) == length && memcmp (other, name, length) == 0)
        return (enum lc_operation)i;
    }
  return LC_NO_OPERATION;
}
