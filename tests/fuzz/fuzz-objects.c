/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a file of objects, of symbols, or of code. The first byte says as which. */
#include <glib/gstdio.h>

#include "closing.h"
#include "fuzz.h"
#include "maker.h"
#include "symbols.h"

enum
{
  OBJECTS,
  SHARED,
  SYMBOLS,
  CODE,
  PARTS,
};

static const char *const names[] = {"objects-0", "objects-shared", "symbols-0", "code"};

static void
read_names (const char *directory)
{
  g_autoptr (LcTrace) trace = lc_trace_open (directory, NULL);

  g_assert_nonnull (trace);
  for (guint32 i = 0; i < lc_trace_get_n_objects (trace); i++)
    {
      g_autofree char *name = lc_trace_dup_object_name (trace, i);
      LcTraceObject object;

      lc_trace_get_object (trace, i, &object);
      g_assert_true (g_utf8_validate (name, -1, NULL));
    }
  g_array_unref (lc_trace_list_problems (trace));
}

static void
read_code (const char *directory)
{
  g_autofree char *path = g_build_filename (directory, names[CODE], NULL);
  g_autoptr (LcSymbols) symbols = lc_symbols_new (directory);

  for (guint64 offset = 0; offset < 0x2000; offset += 0x101)
    g_free (lc_symbols_name (symbols, path, offset));
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size)
{
  char *directory;
  guint part;

  if (size == 0)
    return 0;
  part = bytes[0] % PARTS;
  directory = maker_directory ();
  maker_write_metadata (directory);
  if (part == SYMBOLS)
    {
      g_autoptr (GByteArray) objects = maker_objects (0);

      maker_object (objects, LC_CLASS_FUNCTION, NULL, 0, 0x100);
      maker_object (objects, LC_CLASS_FUNCTION, NULL, 0, 0x200);
      maker_write (directory, names[OBJECTS], objects->data, objects->len);
    }
  maker_write (directory, names[part], bytes + 1, size - 1);
  if (part == CODE)
    read_code (directory);
  else
    {
      read_names (directory);
      {
        g_autoptr (LcFolder) folder = lc_folder_open (directory, NULL);

        lc_write_symbols (folder, NULL);
      }
    }
  maker_remove (directory);
  return 0;
}

/* The smallest file with a table of one function. */
static void
append_code (GByteArray *bytes)
{
  static const guint8 header[64] = {
      0x7F, 'E', 'L', 'F', 2, 1, 1, [16] = 3, [18] = 62, [20] = 1, [40] = 64, [52] = 64, [58] = 64, [60] = 3, [62] = 0};
  guint8 sections[3 * 64] = {0};
  static const guint8 symbol[24] = {[0] = 1, [4] = 0x12, [6] = 1, [8] = 0, [9] = 1, [16] = 0x80};

  sections[64 + 4] = 2;    /* a table of symbols ... */
  sections[64 + 25] = 1;   /* at 256 */
  sections[64 + 32] = 24;  /* of one entry */
  sections[64 + 40] = 2;   /* with its names in the next section */
  sections[128 + 4] = 3;   /* the names ... */
  sections[128 + 24] = 24; /* at 280 */
  sections[128 + 25] = 1;
  sections[128 + 32] = 6;
  g_byte_array_append (bytes, header, sizeof header);
  g_byte_array_append (bytes, sections, sizeof sections);
  g_byte_array_append (bytes, symbol, sizeof symbol);
  g_byte_array_append (bytes, (const guint8 *)"\0name", 6);
}

gboolean
fuzz_seed (guint number, GByteArray *bytes)
{
  guint8 part = (guint8)number;
  g_autoptr (GByteArray) objects = maker_objects (0);
  guint32 module, site;

  if (number >= PARTS)
    return FALSE;
  g_byte_array_append (bytes, &part, 1);
  maker_object (objects, LC_CLASS_MUTEX, "queue", 0, 0);
  maker_object (objects, LC_CLASS_MODULE, "/bin/true", 0, 0);
  maker_object (objects, LC_CLASS_FUNCTION, NULL, 4, 0x100);
  maker_object (objects, LC_CLASS_MARK, "a region with a longer name than others", 0, 0);
  module = maker_module (objects, "/bin/false", "0123456789abcdef", 0x1000, 0x9000);
  site = maker_site (objects, LC_SITE_ROOT, module, 0, 0x1200);
  maker_object_at (objects, LC_CLASS_MUTEX, maker_site (objects, LC_SITE_INNER, module, site, 0x1300), 0x2000);
  if (part == SYMBOLS)
    g_byte_array_append (bytes, (const guint8 *)"2 main\n3 helper\n", 16);
  else if (part == CODE)
    append_code (bytes);
  else
    g_byte_array_append (bytes, objects->data, objects->len);
  return TRUE;
}
