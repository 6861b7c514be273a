/* SPDX-License-Identifier: Apache-2.0 */
/* Reads objects-I files. */
#include "records.h"

#include <string.h>

#define PLACE sizeof (struct lc_object_record)
#define FIRST_PLACE (sizeof (struct lc_objects_header) / PLACE)

static void
count (LcRecords *records, LcProblemKind kind, guint64 where)
{
  if (records->problems != NULL)
    lc_problems_count (records->problems, kind, records->name, where, NULL);
}

gboolean
lc_records_open (LcRecords *records, const char *path, LcProblems *problems, const char *name, GError **error)
{
  *records = (LcRecords){.problems = problems, .name = name, .next = FIRST_PLACE};
  records->header.parent = LC_NO_PROCESS;
  if (!lc_file_map (path, LC_RECORDS_LIMIT, &records->file, error))
    return FALSE;
  if (records->file.file_size > records->file.size)
    count (records, LC_PROBLEM_OBJECTS_TOO_LARGE, records->file.size);
  if (records->file.size >= sizeof records->header)
    memcpy (&records->header, records->file.bytes, sizeof records->header);
  if (memcmp (records->header.magic, "LCOBJECT", 8) == 0 && records->header.version == LC_OBJECTS_VERSION)
    records->n_places = (guint32)(records->file.size / PLACE);
  else
    count (records, LC_PROBLEM_OBJECTS_DAMAGED, 0);
  return TRUE;
}

/* A name that was copied into places which were then never given a class looks like records that make no sense. */
static gboolean
is_record (LcRecords *records, const struct lc_object_record *record, guint64 where)
{
  gboolean valid = record->object_class < LC_CLASSES;

  if (record->object_class == LC_CLASS_NONE)
    records->reserved = TRUE;
  else if (valid)
    records->reserved = FALSE;
  else if (!records->reserved)
    count (records, LC_PROBLEM_BAD_OBJECT, where);
  return valid && record->object_class != LC_CLASS_NONE;
}

gboolean
lc_records_next (LcRecords *records, LcRecord *result)
{
  while (records->next < records->n_places)
    {
      guint64 where = (guint64)records->next * PLACE;
      guint32 number = records->next++;
      guint32 left = records->n_places - records->next;
      guint32 name_places;

      memcpy (&result->record, records->file.bytes + where, PLACE);
      if (!is_record (records, &result->record, where))
        continue;
      name_places = (guint32)((result->record.name_length + PLACE - 1) / PLACE);
      if (name_places > left)
        {
          count (records, LC_PROBLEM_TRUNCATED_OBJECT, where);
          result->record.name_length = (guint16)(left * PLACE);
          name_places = left;
        }
      records->next += name_places;
      result->number = number;
      result->name = (const char *)records->file.bytes + where + PLACE;
      return TRUE;
    }
  if (records->n_places > 0 && records->file.size % PLACE != 0)
    count (records, LC_PROBLEM_TRUNCATED_OBJECT, records->file.size);
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
  lc_mapped_clear (&records->file);
}
