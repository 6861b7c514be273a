/* SPDX-License-Identifier: Apache-2.0 */
/* Adds bytes to the files of a trace, all of them or none. */
#include "adding.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

int
lc_adding_open (const LcFolder *folder, const char *name)
{
  int file;

  errno = 0;
  file = lc_folder_open_to_change (folder, name, O_CREAT, NULL);
  if (file < 0 && errno == 0)
    errno = EPERM;
  return file;
}

gboolean
lc_adding_write (int file, guint64 size, guint64 offset, const void *head, gsize head_bytes, const void *rest,
                 gsize rest_bytes)
{
  gsize all = head_bytes + rest_bytes, done = 0;

  while (done < all)
    {
      const gsize head_done = MIN (done, head_bytes), rest_done = done - head_done;
      /* Nothing may be added to no address, not even 0. */
      struct iovec parts[2] = {{(guint8 *)head + head_done, head_bytes - head_done},
                               {rest != NULL ? (guint8 *)rest + rest_done : NULL, rest_bytes - rest_done}};
      ssize_t n = pwritev (file, parts, 2, (off_t)(offset + done));

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        {
          int error = n < 0 ? errno : ENOSPC;

          if (offset >= size && ftruncate (file, (off_t)size) != 0)
            error = errno;
          errno = error;
          return FALSE;
        }
      done += (gsize)n;
    }
  return TRUE;
}

gboolean
lc_adding_fill (int file, guint64 offset, guint64 bytes)
{
  static const guint8 zeros[1 << 16];

  for (guint64 done = 0; done < bytes; done += sizeof zeros)
    if (!lc_adding_write (file, offset + done, offset + done, zeros, (gsize)MIN (bytes - done, sizeof zeros), NULL, 0))
      return FALSE;
  return TRUE;
}
