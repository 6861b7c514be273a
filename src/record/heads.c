/* SPDX-License-Identifier: Apache-2.0 */
/* Room for the packets being written, in one file an address space: heads-I. */
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "recorder.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

/*
 * A head is one thread's after the other, and its pages are used again for each packet: they stay in the processor's
 * cache, and the system need not find, clear and map new ones, which would cost more than the events. A file for each
 * thread would cost more than the thread: a millisecond or two, where the disk keeps a journal. Should the program be
 * killed, what is in the heads is still in the file.
 */
enum
{
  FIRST_CHUNK = 4, /* heads */
  LARGEST_CHUNK = 64,
  LIKELY_USED = 16 << 10, /* bytes of a new head that nearly every thread writes to */
};

static uint32_t lock;
static unsigned char *chunk;
static size_t left, chunk_heads;
static uint64_t file_size;

static bool
next_chunk (enum lc_lost *reason)
{
  size_t heads = chunk_heads == 0 ? FIRST_CHUNK : chunk_heads * 2;
  int file = lc_file_open ("heads-", lc_instance - 1, O_RDWR | (file_size == 0 ? O_CREAT : 0));

  *reason = LC_LOST_FILE;
  if (file < 0)
    return false;
  if (heads > LARGEST_CHUNK)
    heads = LARGEST_CHUNK;
  chunk = lc_file_map (file, file_size, heads * LC_HEAD_BYTES);
  if (chunk == NULL)
    {
      if (lc_file_is_full (errno))
        *reason = LC_LOST_DISK;
      lc_file_resize (file, file_size);
      /* A disk that is nearly full may still have room for one. */
      heads = 1;
      chunk = lc_file_map (file, file_size, LC_HEAD_BYTES);
      if (chunk == NULL)
        lc_file_resize (file, file_size);
    }
  lc_file_close (file);
  if (chunk == NULL)
    return false;
  file_size += heads * LC_HEAD_BYTES;
  left = chunk_heads = heads;
  return true;
}

struct lc_packet *
lc_head_new (enum lc_lost *reason)
{
  unsigned char *head = NULL;

  lc_lock (&lock);
  if (left > 0 || next_chunk (reason))
    {
      head = chunk;
      chunk += LC_HEAD_BYTES;
      left--;
    }
  lc_unlock (&lock);
  if (head != NULL)
    madvise (head, LIKELY_USED, MADV_POPULATE_WRITE);
  return (struct lc_packet *)(void *)head;
}

void
lc_heads_forget (void)
{
  lock = 0;
  left = chunk_heads = 0;
  file_size = 0;
}
