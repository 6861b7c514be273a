/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as the file of code that a trace names: whatever it says, places have names that are text, and stacks end.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "lightcone/where.h"
#include "maker.h"

enum
{
  BASE = 0x10000,
  LENGTH = 0x4000,
  STEP = 0x7,  /* between the sites, which are all over the code of the corpus */
  CODE = 0xb0, /* where that begins */
  MOST_SITES = 4,
  COUNTER = 0xc4, /* and where its variable is */
};

static char *directory;
static LcTrace *trace;

static void
where_remove (void)
{
  lc_trace_free (trace);
  maker_remove (directory);
}

/* A trace of a program that lies beside its files. */
static void
where_begin (void)
{
  g_autoptr (GByteArray) objects = maker_objects (0);
  g_autoptr (Maker) maker = maker_new (0);
  g_autofree char *path = NULL;
  guint32 module, site = 0;

  directory = maker_directory ();
  path = g_build_filename (directory, "code", NULL);
  module = maker_module (objects, path, NULL, BASE, BASE + LENGTH);
  for (guint i = 0; i < MOST_SITES; i++)
    site = maker_site (objects, i == 0 ? LC_SITE_ROOT : LC_SITE_INNER, module, site, CODE + 1 + i * STEP);
  maker->site = site;
  for (guint i = 0; i < 4; i++)
    {
      guint32 object = maker_object_at (objects, LC_CLASS_MUTEX, site, BASE + COUNTER + 8 * i);

      maker_sync (maker, LC_LOCK, object, 1, 0, 100 + 10 * i, 105 + 10 * i, 0);
    }
  maker_write_metadata (directory);
  maker_write (directory, "objects-0", objects->data, objects->len);
  maker_finish (maker, directory);
  trace = lc_trace_open (directory, NULL);
  g_assert_nonnull (trace);
  atexit (where_remove);
}

static gboolean
where_is_text (const char *text)
{
  return text == NULL || g_utf8_validate (text, -1, NULL);
}

/* Whoever follows a stack outwards comes to its end. */
static void
where_check_stack (const LcWhere *where, guint32 number)
{
  const LcWhereStack *stack = &g_array_index (where->stacks, LcWhereStack, number);

  for (guint depth = 0;; depth++)
    {
      g_assert_cmpuint (stack->site, <, where->sites->len);
      g_assert_cmpuint (depth, <, where->stacks->len);
      if (stack->parent == LC_TRACE_NONE)
        return;
      g_assert_cmpuint (stack->parent, <, where->stacks->len);
      stack = &g_array_index (where->stacks, LcWhereStack, stack->parent);
    }
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size)
{
  g_autoptr (LcWhere) where = NULL;

  if (trace == NULL)
    where_begin ();
  maker_write (directory, "code", bytes, size);
  where = lc_where_new (trace, directory, NULL, NULL);
  g_assert_nonnull (where);
  for (guint i = 0; i < where->sites->len; i++)
    {
      const LcWhereSite *site = &g_array_index (where->sites, LcWhereSite, i);

      g_assert_true (where_is_text (site->function) && where_is_text (site->file));
    }
  for (guint i = 0; i < where->stacks->len; i++)
    where_check_stack (where, i);
  for (guint32 i = 0; i < lc_trace_get_n_objects (trace); i++)
    g_assert_true (where_is_text (where->objects[i]));
  return 0;
}

/* The corpus has files of code: by hand there is the beginning of one only. */
gboolean
fuzz_seed (guint number, GByteArray *bytes)
{
  static const guint8 header[64] = {0x7F, 'E', 'L', 'F', 2, 1, 1, [16] = 2, [18] = 62, [20] = 1, [52] = 64, [58] = 64};

  if (number > 0)
    return FALSE;
  g_byte_array_append (bytes, header, sizeof header);
  return TRUE;
}
