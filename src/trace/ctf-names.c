/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the names that a program gave to its objects by their addresses. */
#include <string.h>

#include "ctf.h"
#include "records.h"

static gboolean
ctf_names_are_there (LcRecords *records)
{
  LcRecord record;

  while (lc_records_next (records, &record))
    if (record.record.object_class == LC_CLASS_NAME)
      return TRUE;
  return FALSE;
}

static gboolean
ctf_names_is_object (guint8 object_class)
{
  return object_class != LC_CLASS_NONE && object_class < LC_CLASS_MARK;
}

/* Gives each name to the last object before it at its address, or else to the next one. */
static GHashTable *
ctf_names_assign (LcRecords *records)
{
  GHashTable *names = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  g_autoptr (GHashTable) last = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) waiting = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  LcRecord record;

  while (lc_records_next (records, &record))
    {
      gpointer address = GSIZE_TO_POINTER ((gsize)record.record.address), object, name;

      if (ctf_names_is_object (record.record.object_class))
        {
          g_hash_table_insert (last, address, GUINT_TO_POINTER (record.number));
          if (g_hash_table_steal_extended (waiting, address, NULL, &name))
            g_hash_table_insert (names, GUINT_TO_POINTER (record.number), name);
        }
      if (record.record.object_class != LC_CLASS_NAME)
        continue;
      name = g_utf8_make_valid (record.name, (gssize)strnlen (record.name, record.record.name_length));
      if (g_hash_table_lookup_extended (last, address, NULL, &object))
        g_hash_table_insert (names, object, name);
      else
        g_hash_table_insert (waiting, address, name);
    }
  return names;
}

GHashTable *
lc_ctf_read_names (LcTrace *trace, const char *file)
{
  const LcCtf *ctf = trace->data;
  g_auto (LcRecords) records = {0};

  if (!lc_records_open_again (&records, ctf->base, file, trace->problems) || !ctf_names_are_there (&records))
    return NULL;
  lc_records_rewind (&records);
  return ctf_names_assign (&records);
}
