/* SPDX-License-Identifier: Apache-2.0 */
/* Who is next in a simulation: processes by their time, those of one time by their number. */
#ifndef LC_BENCH_QUEUE_H
#define LC_BENCH_QUEUE_H

#include <glib.h>

typedef struct
{
  guint64 time;
  guint32 process;
} QueueEntry;

/* A heap; each process is in it at most once. */
typedef struct
{
  guint32 size;
  QueueEntry entries[];
} Queue;

static inline Queue *
queue_new (guint32 most)
{
  return g_malloc0 (sizeof (Queue) + (most + 1) * sizeof (QueueEntry));
}

static inline void
queue_free (Queue *queue)
{
  g_free (queue);
}

static inline gboolean
queue_is_before (const QueueEntry *a, const QueueEntry *b)
{
  return a->time != b->time ? a->time < b->time : a->process < b->process;
}

static inline guint64
queue_first (const Queue *queue)
{
  return queue->size > 0 ? queue->entries[0].time : G_MAXUINT64;
}

static inline void
queue_add (Queue *queue, guint64 time, guint32 process)
{
  const QueueEntry entry = {time, process};
  guint32 place = queue->size++;

  for (; place > 0 && queue_is_before (&entry, &queue->entries[(place - 1) / 2]); place = (place - 1) / 2)
    queue->entries[place] = queue->entries[(place - 1) / 2];
  queue->entries[place] = entry;
}

static inline gboolean
queue_take (Queue *queue, guint32 *process)
{
  QueueEntry last;
  guint32 place = 0, child;

  if (queue->size == 0)
    return FALSE;
  *process = queue->entries[0].process;
  last = queue->entries[--queue->size];
  while ((child = place * 2 + 1) < queue->size)
    {
      child += child + 1 < queue->size && queue_is_before (&queue->entries[child + 1], &queue->entries[child]);
      if (!queue_is_before (&queue->entries[child], &last))
        break;
      queue->entries[place] = queue->entries[child];
      place = child;
    }
  queue->entries[place] = last;
  return TRUE;
}

#endif
