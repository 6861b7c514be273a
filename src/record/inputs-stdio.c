/* SPDX-License-Identifier: Apache-2.0 */
/* Streams of stdio over what is outside: the C library reads them by functions that cannot be wrapped. */
/*
 * So such a stream is made anew, as one whose reads and writes come here (fopencookie). It has the descriptor of the
 * real one, for those who ask. Standard output and error stay as they are.
 */
#undef _FILE_OFFSET_BITS
#include <stdio.h>
#include <stdio_ext.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "inputs.h"

/* The source that a stream reads from. */
struct stream
{
  FILE *real; /* NULL: it has none of its own */
  int file;
  bool is_used;
};

enum
{
  MOST_STREAMS = 1024, /* that are open; the C library reads those after them */
};

static struct stream streams[MOST_STREAMS];

/* Results of a call that makes a stream. */
enum
{
  STREAM_IS_REAL = 0,
  STREAM_IS_OURS = 1 << 0,
  STREAM_IS_TERMINAL = 1 << 1,
};

static ssize_t
stream_read (void *data, char *buffer, size_t size)
{
  const struct stream *stream = data;

  return lc_inputs_read (stream->file, buffer, size);
}

static ssize_t
stream_write (void *data, const char *buffer, size_t size)
{
  const struct stream *stream = data;
  size_t done = 0;

  while (done < size)
    {
      ssize_t n = lc_inputs_write (stream->file, buffer + done, size - done);

      if (n <= 0)
        break;
      done += (size_t)n;
    }
  return (ssize_t)done;
}

static int
stream_seek (void *data, off64_t *offset, int whence)
{
  const struct stream *stream = data;
  off64_t result = lseek64 (stream->file, *offset, whence);

  if (result < 0)
    return -1;
  *offset = result;
  return 0;
}

static int
stream_close (void *data)
{
  struct stream *stream = data;
  int result = stream->real != NULL ? fclose (stream->real) : close (stream->file);

  __atomic_store_n (&stream->is_used, false, __ATOMIC_RELEASE);
  return result;
}

/* NULL: all are in use. */
static struct stream *
stream_take (int file, FILE *real)
{
  for (int i = 0; i < MOST_STREAMS; i++)
    if (!__atomic_test_and_set (&streams[i].is_used, __ATOMIC_ACQUIRE))
      {
        streams[i].real = real;
        streams[i].file = file;
        return &streams[i];
      }
  return NULL;
}

/* NULL: no room. */
static FILE *
stream_make (int file, FILE *real, const char *mode, int64_t kind)
{
  static const cookie_io_functions_t functions = {stream_read, stream_write, stream_seek, stream_close};
  struct stream *stream = stream_take (file, real);
  FILE *made = stream != NULL ? fopencookie (stream, mode, functions) : NULL;

  if (stream != NULL && made == NULL)
    __atomic_store_n (&stream->is_used, false, __ATOMIC_RELEASE);
  if (made == NULL)
    return NULL;
  made->_fileno = file;
  if ((kind & STREAM_IS_TERMINAL) != 0)
    setlinebuf (made); /* standard output is written before it is read */
  return made;
}

static int64_t
stream_kind (int file)
{
  const int before = errno;
  int64_t kind = STREAM_IS_REAL;

  if (file >= 0 && lc_inputs_kind_of (file) >= LC_INPUTS_SOCKET)
    kind = STREAM_IS_OURS | (isatty (file) ? STREAM_IS_TERMINAL : 0);
  errno = before;
  return kind;
}

/* Decides what a stream is, as it was decided when it was recorded. */
static int64_t
stream_decide (struct lc_inputs_call *call, int file)
{
  int64_t kind = STREAM_IS_REAL;

  if (call->mode == LC_INPUTS_GIVE)
    kind = call->record.result;
  else if (call->mode == LC_INPUTS_KEEP)
    {
      kind = stream_kind (file);
      lc_inputs_keep (call, LC_INPUT_GIVEN, kind, NULL, 0);
    }
  return kind > 0 ? kind : STREAM_IS_REAL;
}

/* What cannot be read is written by the C library itself. */
static bool
stream_is_read (const char *mode)
{
  return mode[0] == 'r' || strchr (mode, '+') != NULL;
}

static FILE *
stream_opened (FILE *real, const char *mode)
{
  struct lc_inputs_call call;
  FILE *ours;
  int64_t kind;

  if (!stream_is_read (mode))
    return real;
  call = lc_inputs_begin (LC_INPUT_STREAM, real != NULL ? fileno (real) : -1, 0);
  kind = stream_decide (&call, real != NULL ? fileno (real) : -1);
  ours = real != NULL && (kind & STREAM_IS_OURS) != 0 ? stream_make (fileno (real), real, mode, kind) : NULL;
  return ours != NULL ? ours : real;
}

LC_INPUTS_EXPORT FILE *
fopen (const char *restrict path, const char *restrict mode)
{
  return stream_opened (LC_INPUTS_REAL (fopen) (path, mode), mode);
}

LC_INPUTS_EXPORT FILE *
fopen64 (const char *restrict path, const char *restrict mode)
{
  return stream_opened (LC_INPUTS_REAL (fopen64) (path, mode), mode);
}

LC_INPUTS_EXPORT FILE *
fdopen (int file, const char *mode)
{
  return stream_opened (LC_INPUTS_REAL (fdopen) (file, mode), mode);
}

static void
stream_replace_input (void)
{
  struct lc_inputs_call call = lc_inputs_begin (LC_INPUT_STREAM, STDIN_FILENO, 0);
  const int64_t kind = stream_decide (&call, STDIN_FILENO);
  const int before = errno;
  FILE *ours = (kind & STREAM_IS_OURS) != 0 ? stream_make (STDIN_FILENO, NULL, "r", kind) : NULL;

  if (ours != NULL)
    stdin = ours;
  errno = before;
}

/* Before the program's own constructors, which may take standard input for theirs. The recorder and what replays begin
 * when they are called, except in a rank of MPI, where they call this when they have begun. */
LC_INPUTS_EXPORT __attribute__ ((constructor (102))) void
lc_inputs_start (void)
{
  static bool has_started;

  if (has_started || !lc_inputs_is_on ())
    return;
  has_started = true;
  lc_inputs_inherit ();
  stream_replace_input ();
}
