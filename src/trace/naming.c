/* SPDX-License-Identifier: Apache-2.0 */
/* Writes facts about objects that are known only when a recording ends: names of functions, and shared objects. */
#include <string.h>

#include "closing.h"
#include "records.h"
#include "symbols.h"

static void
append_line (GString *out, guint32 number, const char *name)
{
  g_string_append_printf (out, "%u ", number);
  for (; *name != '\0'; name++)
    g_string_append_c (out, g_ascii_iscntrl (*name) ? '?' : *name);
  g_string_append_c (out, '\n');
}

/* Reads the names of modules first, because a module's record may come after those of its functions. */
static GHashTable *
read_modules (LcRecords *records)
{
  GHashTable *modules = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  LcRecord record;

  while (lc_records_next (records, &record))
    {
      if (record.record.object_class == LC_CLASS_MODULE)
        g_hash_table_insert (modules, GUINT_TO_POINTER (record.number),
                             g_strndup (record.name, record.record.name_length));
    }
  lc_records_rewind (records);
  return modules;
}

static void
name_functions (LcRecords *records, LcSymbols *symbols, GString *out)
{
  g_autoptr (GHashTable) modules = read_modules (records);
  LcRecord record;

  if (g_hash_table_size (modules) == 0)
    return;
  while (lc_records_next (records, &record))
    {
      const char *module = g_hash_table_lookup (modules, GUINT_TO_POINTER (record.record.module));
      g_autofree char *name = NULL;

      if (record.record.object_class != LC_CLASS_FUNCTION || module == NULL)
        continue;
      name = lc_symbols_name (symbols, module, record.record.value);
      if (name != NULL)
        append_line (out, record.number, name);
    }
}

static gboolean
write_instance (const LcFolder *folder, const LcNumberedFile *file, LcSymbols *symbols, GError **error)
{
  g_autofree char *name = g_strdup_printf ("symbols-%u", file->number);
  g_autoptr (GString) out = g_string_new (NULL);
  g_auto (LcRecords) records = {0};

  if (!lc_records_open (&records, folder, file->name, NULL, error))
    return FALSE;
  name_functions (&records, symbols, out);
  return out->len == 0 || lc_folder_write (folder, name, out->str, out->len, error);
}

gboolean
lc_write_symbols (const LcFolder *folder, GError **error)
{
  g_autoptr (GArray) files = lc_folder_list_numbered (folder, "objects-", error);
  g_autoptr (LcSymbols) symbols = lc_symbols_new (NULL);
  gboolean good = TRUE;

  if (files == NULL)
    return FALSE;
  for (guint i = 0; i < files->len; i++)
    good &= write_instance (folder, &g_array_index (files, LcNumberedFile, i), symbols, good ? error : NULL);
  return good;
}

/* The record of slot i gets number i + 2, which is the number that events use. */
gboolean
lc_write_shared_objects (const LcFolder *folder, const struct lc_control *control, GError **error)
{
  const struct lc_objects_header header = {
      .magic = "LCOBJECT",
      .version = LC_OBJECTS_VERSION,
      .instance = LC_NO_PROCESS,
      .parent = LC_NO_PROCESS,
  };
  g_autoptr (GByteArray) out = g_byte_array_new ();
  guint used = 0;

  for (guint i = 0; i < LC_SHARED_SLOTS; i++)
    {
      if (control->shared_records[i].object_class != LC_CLASS_NONE)
        used = i + 1;
    }
  if (used == 0)
    return TRUE;
  g_byte_array_append (out, (const guint8 *)&header, sizeof header);
  for (guint i = 0; i < used; i++)
    {
      struct lc_object_record record = control->shared_records[i];

      record.name_length = 0;
      g_byte_array_append (out, (const guint8 *)&record, sizeof record);
    }
  return lc_folder_write (folder, "objects-shared", out->data, out->len, error);
}
