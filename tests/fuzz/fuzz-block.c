/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a column block or a directory, with the checksum put right. The first byte says which. */
#include <string.h>

#include "fuzz.h"
#include "history/block.h"
#include "history/directory.h"

enum
{
  CHECKSUM = 8,
  DIRECTORY = 0, /* else the columns are in the bits, ORIGIN with WHY */
};

/* A sum of all that was read, so that each byte of it is looked at. */
static volatile guint64 seen;

static LcColumns
columns_of (guint8 kind)
{
  return kind | (kind & LC_COLUMN_WHY) << 1;
}

static void
read_block (const guint8 *bytes, gsize size, LcColumns columns)
{
  g_autoptr (LcBlock) block = lc_block_new ();
  LcHistoryEvent event;

  if (!lc_block_decode (block, bytes, size, columns))
    return;
  for (guint i = 0; i < block->n_events; i++)
    {
      lc_block_get_event (block, i, &event);
      seen += event.end + event.n_arcs + event.stack + (guint64)event.sequence + event.removed + event.origin_ordinal;
      g_assert_true (event.basis < 0 || !(columns & LC_COLUMN_ARCS) || event.n_arcs == 0 ||
                     (guint32)event.basis < event.n_arcs);
      for (guint k = block->first_arc[i]; k < block->first_arc[i + 1]; k++)
        seen += g_array_index (block->arcs, LcBlockArc, k).ordinal;
    }
  for (guint i = 0; i < block->held->len; i++)
    seen += g_array_index (block->held, LcBlockHeld, i).object;
}

static void
read_directory (const guint8 *bytes, gsize size)
{
  g_autoptr (LcDirectory) directory = lc_directory_decode (bytes, size);

  if (directory == NULL)
    return;
  seen += lc_directory_find_time (directory, size) + lc_directory_find_layer (directory, size);
  for (guint i = 0; i < directory->entries->len; i++)
    seen += g_array_index (directory->entries, LcDirectoryEntry, i).row;
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size)
{
  g_autofree guint8 *copy = NULL;
  guint64 checksum;

  if (size < 1 + CHECKSUM)
    return 0;
  copy = g_memdup2 (bytes + 1, size - 1);
  checksum = GUINT64_TO_LE (lc_checksum (copy, size - 1 - CHECKSUM));
  memcpy (copy + size - 1 - CHECKSUM, &checksum, CHECKSUM);
  if (bytes[0] == DIRECTORY)
    read_directory (copy, size - 1);
  else
    read_block (copy, size - 1, columns_of (bytes[0]));
  return 0;
}

/* One event: mostly a lock and its unlock, sometimes a message, and of each column something odd at times. */
static void
set_event (LcBlock *block, guint i)
{
  gboolean odd = i % 37 == 5;

  block->begin[i] = i * 1000 + i % 7;
  block->end[i] = block->begin[i] + 20 + i % 3 + (odd ? 900 : 0);
  block->waited[i] = odd ? 800 : 0;
  block->layer[i] = 2 * i + i % 2;
  block->operation[i] = (guint16)(12 + i % 2);
  block->object[i] = odd ? LC_TRACE_NONE : i % 5 * 11;
  block->sequence[i] = 100 + i / 2;
  block->value[i] = odd ? -(gint64)i : 0;
  block->bytes[i] = i % 3 == 0 ? 4096 : 0;
  block->peer[i] = odd ? i : LC_TRACE_NONE;
  block->stack[i] = block->n_events > 5 ? i % 7 * 3 : LC_TRACE_NONE;
  block->cpu[i] = (guint16)(i / 100);
  block->flags[i] = odd ? LC_TRACE_EVENT_VALUE : LC_TRACE_EVENT_SEQUENCE | (i % 3 == 0 ? LC_TRACE_EVENT_BYTES : 0);
  block->basis[i] = -1;
  block->removed[i] = i * 30;
  block->gained[i] = odd ? -(gint64)i : 0;
  block->reordered[i] = odd;
  block->origin_process[i] = i % 90 / 60;
  block->origin_ordinal[i] = i + i % 90 / 30 * 1000;
  if (i % 2 == 0)
    {
      LcBlockArc arc = {.process = i % 9, .rule = (guint16)(i % 3), .point = LC_POINT_END, .ordinal = i * 2};

      block->basis[i] = 0;
      g_array_append_val (block->arcs, arc);
    }
  block->first_arc[i + 1] = block->arcs->len;
}

static void
add_block (GByteArray *bytes, guint n, guint8 kind)
{
  g_autoptr (LcBlock) block = lc_block_new ();
  LcBlockHeld held = {.object = 3, .ordinal = 12};

  block->n_events = n;
  for (guint i = 0; i < n; i++)
    set_event (block, i);
  g_array_append_val (block->held, held);
  g_byte_array_append (bytes, &kind, 1);
  lc_block_encode (block, columns_of (kind), bytes);
}

static void
add_directory (GByteArray *bytes, guint n)
{
  g_autoptr (LcDirectory) directory = lc_directory_new ();
  guint8 kind = DIRECTORY;

  directory->n_events = (guint64)n * LC_BLOCK_EVENTS;
  for (guint i = 0; i < n; i++)
    {
      LcDirectoryEntry entry = {i * 3, i * 1000, i * 1000 + 900 + i % 7, i * 50, i * 50 + 40};

      g_array_append_val (directory->entries, entry);
    }
  g_byte_array_append (bytes, &kind, 1);
  lc_directory_encode (directory, bytes);
}

gboolean
fuzz_seed (guint number, GByteArray *bytes)
{
  static const guint8 kinds[] = {0xFF, 0xFF, LC_COLUMN_TIME, LC_COLUMN_TIME | LC_COLUMN_IDENTITY, LC_COLUMN_ARCS};
  static const guint sizes[] = {LC_BLOCK_EVENTS, 5, 100, 300, LC_BLOCK_EVENTS};

  if (number < G_N_ELEMENTS (kinds))
    add_block (bytes, sizes[number], kinds[number]);
  else
    add_directory (bytes, number == G_N_ELEMENTS (kinds) ? 3 : 600);
  return number < G_N_ELEMENTS (kinds) + 2;
}
