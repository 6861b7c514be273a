/* SPDX-License-Identifier: Apache-2.0 */
/* Reads what the files of switches say of themselves. */
#include "switch-files.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "lightcone/trace.h"

void
lc_switch_file_close (LcSwitchFile *file)
{
  if (file->file >= 0)
    close (file->file);
  file->file = -1;
}

static gboolean
switch_file_check (const LcSwitchFile *file, const char *path, GError **error)
{
  const struct lc_switches_header *header = &file->header;

  if (memcmp (header->magic, "LCSWITCH", sizeof header->magic) != 0)
    g_set_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_DAMAGED, "%s: not a file of switches (byte 0)", path);
  else if (header->version != LC_SWITCHES_VERSION)
    g_set_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_VERSION, "%s: version %u is not %d (byte 8)", path,
                 header->version, LC_SWITCHES_VERSION);
  else
    return TRUE;
  return FALSE;
}

gboolean
lc_switch_file_open (LcSwitchFile *file, const LcFolder *folder, const char *name, GError **error)
{
  g_autofree char *path = lc_folder_dup_path (folder, name);

  *file = (LcSwitchFile){.next = sizeof file->header};
  file->file = lc_folder_open_file (folder, name, &file->size, error);
  if (file->file < 0)
    return FALSE;
  memset (&file->header, 0, sizeof file->header);
  if (lc_file_read (file->file, &file->header, sizeof file->header, 0) >= 0 && switch_file_check (file, path, error))
    return TRUE;
  if (error != NULL && *error == NULL)
    lc_folder_set_error (folder, name, errno, error);
  lc_switch_file_close (file);
  return FALSE;
}

static gboolean
switch_file_is_pack (const struct lc_switch_pack *pack, guint64 rest)
{
  return pack->magic == LC_SWITCH_PACK_MAGIC && pack->count <= LC_SWITCH_PACK_MOST && pack->begin <= pack->end &&
         (pack->thread != 0 || pack->count == 0) && pack->count * sizeof (struct lc_absence_record) <= rest;
}

gboolean
lc_switch_file_next (LcSwitchFile *file)
{
  const gsize head = sizeof file->pack;
  gssize got;

  if (file->is_damaged || file->next >= file->size)
    return FALSE;
  got = lc_file_read (file->file, &file->pack, MIN (head, file->size - file->next), file->next);
  file->is_unread = got < 0;
  file->is_damaged = got != (gssize)head || !switch_file_is_pack (&file->pack, file->size - file->next - head);
  if (file->is_damaged)
    return FALSE;
  file->place = file->next + head;
  file->next = file->place + file->pack.count * sizeof (struct lc_absence_record);
  return TRUE;
}

void
lc_switch_file_end (int file, guint64 end)
{
  (void)!pwrite (file, &end, sizeof end, offsetof (struct lc_switches_header, end));
}

void
lc_switch_files_sum (const LcFolder *folder, LcSwitchSums *sums)
{
  g_autoptr (GArray) files = lc_folder_list_numbered (folder, LC_SWITCHES_PREFIX, NULL);

  *sums = (LcSwitchSums){0};
  for (guint i = 0; files != NULL && i < files->len; i++)
    {
      g_auto (LcSwitchFile) file = {.file = -1};

      if (!lc_switch_file_open (&file, folder, g_array_index (files, LcNumberedFile, i).name, NULL))
        continue;
      sums->files++;
      if (file.header.refused != 0)
        sums->refused = file.header.refused;
      while (lc_switch_file_next (&file))
        {
          sums->recorded += file.pack.count;
          if (__builtin_add_overflow (sums->lost, file.pack.lost, &sums->lost))
            sums->lost = G_MAXINT64;
        }
    }
}

void
lc_switch_files_end (const LcFolder *folder, guint64 end)
{
  g_autoptr (GArray) files = lc_folder_list_numbered (folder, LC_SWITCHES_PREFIX, NULL);

  for (guint i = 0; files != NULL && i < files->len; i++)
    {
      const char *name = g_array_index (files, LcNumberedFile, i).name;
      g_auto (LcSwitchFile) file = {.file = -1};
      int fd;

      if (!lc_switch_file_open (&file, folder, name, NULL) || file.header.end != 0)
        continue;
      fd = lc_folder_open_to_change (folder, name, 0, NULL);
      if (fd < 0)
        continue;
      lc_switch_file_end (fd, end);
      close (fd);
    }
}

const char *
lc_switches_why_refused (guint32 refused)
{
  switch (refused)
    {
    case EACCES:
      return "the system forbids it: kernel.perf_event_paranoid must be 2 at most";
    case EPERM:
      return "the system forbids it, as containers do, or lets this user lock no more memory";
    case ENOSYS:
      return "the system has no perf_event_open, or forbids it";
    case EMFILE:
      return "it takes a descriptor for each processor, and the limit (ulimit -n) is too low";
    default:
      return g_strerror ((int)MIN (refused, G_MAXINT16));
    }
}
