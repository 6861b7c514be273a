/* SPDX-License-Identifier: Apache-2.0 */
/* Reads objects-I files. */
#include "records.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "lightcone/control.h"

#define PLACE sizeof (struct lc_object_record)
#define FIRST_PLACE (sizeof (struct lc_objects_header) / PLACE)

/* Bytes to read at once: room for a record with the longest name. */
#define WINDOW (128u << 10)

static void
records_count (LcRecords *records, LcProblemKind kind, guint64 where)
{
  if (records->problems != NULL && (!records->is_told || kind == LC_PROBLEM_FILE_UNREADABLE))
    lc_problems_count (records->problems, kind, records->name, where, NULL);
}

/* FALSE: the file has become shorter. */
static gboolean
records_need (LcRecords *records, guint64 offset, gsize size)
{
  gssize got;

  if (offset >= records->window_offset && offset + size <= records->window_offset + records->window_size)
    return TRUE;
  got =
      lc_file_read (records->fd, records->window, (gsize)MIN (WINDOW, records->size - offset), records->base + offset);
  if (got < 0)
    records_count (records, LC_PROBLEM_FILE_UNREADABLE, offset);
  records->window_offset = offset;
  records->window_size = (gsize)MAX (got, 0);
  return records->window_size >= size;
}

/* What is wrong with the file is counted from here on. */
static void
records_check_header (LcRecords *records, guint64 size)
{
  records->window = g_malloc (WINDOW);
  records->size = MIN (size, LC_RECORDS_LIMIT);
  if (size > records->size)
    records_count (records, LC_PROBLEM_OBJECTS_TOO_LARGE, records->size);
  if (records->size >= sizeof records->header && records_need (records, 0, sizeof records->header))
    memcpy (&records->header, records->window, sizeof records->header);
  if (memcmp (records->header.magic, "LCOBJECT", 8) == 0 && records->header.version == LC_OBJECTS_VERSION)
    records->n_places = (guint32)(records->size / PLACE);
  else
    records_count (records, LC_PROBLEM_OBJECTS_DAMAGED, 0);
}

gboolean
lc_records_is_control (int file)
{
  char magic[sizeof ((struct lc_control *)NULL)->magic];
  guint32 version;

  return lc_file_read (file, magic, sizeof magic, 0) == sizeof magic && memcmp (magic, "LCCONTRL", sizeof magic) == 0 &&
         lc_file_read (file, &version, sizeof version, offsetof (struct lc_control, version)) == sizeof version &&
         version == LC_CONTROL_VERSION;
}

static guint64
records_open_file (LcRecords *records, const LcFolder *folder, GError **error)
{
  guint64 size = 0;

  records->next = FIRST_PLACE;
  records->header.parent = LC_NO_PROCESS;
  records->fd = lc_folder_open_file (folder, records->name, &size, error);
  return size;
}

gboolean
lc_records_open (LcRecords *records, const LcFolder *folder, const char *name, LcProblems *problems, GError **error)
{
  guint64 size;

  *records = (LcRecords){.problems = problems, .name = name};
  size = records_open_file (records, folder, error);
  if (records->fd < 0)
    return FALSE;
  records_check_header (records, size);
  return TRUE;
}

gboolean
lc_records_open_again (LcRecords *records, const LcFolder *folder, const char *name, LcProblems *problems)
{
  g_autoptr (GError) error = NULL;
  guint64 size;

  *records = (LcRecords){.problems = problems, .name = name, .is_told = TRUE};
  size = records_open_file (records, folder, &error);
  if (records->fd >= 0)
    {
      records_check_header (records, size);
      return TRUE;
    }
  if (error->domain == G_FILE_ERROR && error->code != G_FILE_ERROR_NOENT)
    lc_problems_count (problems, LC_PROBLEM_FILE_UNREADABLE, name, 0, "%s", error->message);
  return FALSE;
}

gboolean
lc_records_open_control (LcRecords *records, const LcFolder *folder, LcProblems *problems)
{
  const guint64 array = offsetof (struct lc_control, shared_records);
  guint64 size;

  *records = (LcRecords){.problems = problems, .name = ".control"};
  size = records_open_file (records, folder, NULL);
  if (records->fd < 0)
    return FALSE;
  if (!lc_records_is_control (records->fd) || size < array + LC_SHARED_SLOTS * PLACE)
    {
      close (records->fd);
      return FALSE;
    }
  records->window = g_malloc (WINDOW);
  records->is_unnamed = TRUE;
  records->n_places = FIRST_PLACE + LC_SHARED_SLOTS;
  records->size = (guint64)records->n_places * PLACE;
  records->base = array - FIRST_PLACE * PLACE;
  return TRUE;
}

/* Skips a hole: the file system finds the next place that was written to. */
static void
records_skip_hole (LcRecords *records)
{
  guint64 end = records->window_offset + records->window_size;
  off_t next;

  if (records->window_size < WINDOW || records->window[0] != 0 ||
      memcmp (records->window, records->window + 1, WINDOW - 1) != 0)
    return;
  next = lseek (records->fd, (off_t)(records->base + end), SEEK_DATA);
  if (next < 0 && errno != ENXIO)
    return;
  records->reserved = TRUE;
  if (next < 0)
    records->next = records->n_places;
  else
    records->next = (guint32)(MIN ((guint64)next - records->base, records->size) / PLACE);
}

/* The places of a name whose record never got a class look like invalid records: they count as reserved. */
static gboolean
is_record (LcRecords *records, const struct lc_object_record *record, guint64 where)
{
  gboolean valid = record->object_class < LC_CLASSES;

  if (record->object_class == LC_CLASS_NONE)
    records->reserved = TRUE;
  else if (valid)
    records->reserved = FALSE;
  else if (!records->reserved)
    records_count (records, LC_PROBLEM_BAD_OBJECT, where);
  return valid && record->object_class != LC_CLASS_NONE;
}

static const guint8 *
records_get (const LcRecords *records, guint64 where)
{
  return records->window + (where - records->window_offset);
}

gboolean
lc_records_next (LcRecords *records, LcRecord *result)
{
  while (records->next < records->n_places)
    {
      guint64 where = (guint64)records->next * PLACE;
      guint32 number = records->next, left = records->n_places - number - 1;
      guint32 name_places;

      if (!records_need (records, where, PLACE))
        break;
      if (where == records->window_offset)
        records_skip_hole (records);
      if (records->next != number)
        continue;
      records->next++;
      memcpy (&result->record, records_get (records, where), PLACE);
      if (!is_record (records, &result->record, where))
        continue;
      if (records->is_unnamed)
        result->record.name_length = 0;
      name_places = (guint32)((result->record.name_length + PLACE - 1) / PLACE);
      if (name_places > left)
        {
          records_count (records, LC_PROBLEM_TRUNCATED_OBJECT, where);
          result->record.name_length = (guint16)(left * PLACE);
          name_places = left;
        }
      records->next += name_places;
      if (!records_need (records, where, PLACE + name_places * PLACE))
        break;
      result->number = number;
      result->name = (const char *)records_get (records, where) + PLACE;
      return TRUE;
    }
  if (records->n_places > 0 && records->size % PLACE != 0)
    records_count (records, LC_PROBLEM_TRUNCATED_OBJECT, records->size);
  return FALSE;
}

void
lc_records_rewind (LcRecords *records)
{
  records->next = FIRST_PLACE;
  records->reserved = FALSE;
}

void
lc_records_clear (LcRecords *records)
{
  if (records->window != NULL)
    close (records->fd);
  g_clear_pointer (&records->window, g_free);
}
