/* SPDX-License-Identifier: Apache-2.0 */
/* The aggregate `pack`: a column of a query as one blob, which other languages take as an array. */
#include <string.h>

#include "database-functions.h"

/* The blob, in the byte order of the machine: this, the values (8 bytes each), if there are nulls a bit for each row
 * that has a value (in whole words), and for texts, of each the place where it begins, the place where the last one
 * ends, and the bytes. docs/sql.md has the same. */
typedef struct
{
  guint64 kind; /* 'q': integers; 'd': real numbers; 't': the numbers of texts */
  guint64 rows;
  guint64 nulls;
  guint64 texts;
} PackHead;

G_STATIC_ASSERT (sizeof (PackHead) == 32);

typedef union
{
  gint64 integer;
  double real;
} PackValue;

G_STATIC_ASSERT (sizeof (PackValue) == 8);

/* SQLite clears it before the first step. */
typedef struct
{
  PackHead head;
  char *bytes; /* of SQLite's: room for the head, and the values */
  guint64 size, room;
  guint64 *present;
  guint64 room_present; /* words */
  GHashTable *numbers;  /* of texts, from 1 on */
  GPtrArray *texts;
  guint64 text_bytes;
  const char *last_text;
  gint64 last_number;
} Pack;

static gboolean
pack_reserve (Pack *pack, guint64 size)
{
  guint64 room = MAX (pack->room, 4096);
  char *bytes;

  while (room < size)
    room *= 2;
  if (room == pack->room)
    return TRUE;
  bytes = sqlite3_realloc64 (pack->bytes, room);
  if (bytes == NULL)
    return FALSE;
  pack->bytes = bytes;
  pack->room = room;
  return TRUE;
}

/* Gives the values that came so far; after the head, which is as long as four of them. */
static PackValue *
pack_get_values (Pack *pack)
{
  return (PackValue *)(gpointer)(pack->bytes + sizeof (PackHead));
}

static gboolean
pack_set_present (Pack *pack, gboolean present)
{
  guint64 word = pack->head.rows / 64;

  if (word >= pack->room_present)
    {
      guint64 room = MAX (64, 2 * pack->room_present);
      guint64 *bits = sqlite3_realloc64 (pack->present, room * sizeof (guint64));

      if (bits == NULL)
        return FALSE;
      memset (bits + pack->room_present, 0, (room - pack->room_present) * sizeof (guint64));
      pack->present = bits;
      pack->room_present = room;
    }
  if (present)
    pack->present[word] |= G_GUINT64_CONSTANT (1) << pack->head.rows % 64;
  return TRUE;
}

/* Returns the number of a text; -1 if it cannot be had as one. Rows that follow each other often have the same. */
static gint64
pack_find_text (Pack *pack, sqlite3_value *value)
{
  const char *text = (const char *)sqlite3_value_text (value);
  gint64 number;
  char *copy;

  if (text == NULL || strlen (text) != (gsize)sqlite3_value_bytes (value))
    return -1;
  if (pack->last_text != NULL && strcmp (text, pack->last_text) == 0)
    return pack->last_number;
  if (pack->numbers == NULL)
    {
      pack->numbers = g_hash_table_new (g_str_hash, g_str_equal);
      pack->texts = g_ptr_array_new_with_free_func (g_free);
    }
  number = (gint64)GPOINTER_TO_SIZE (g_hash_table_lookup (pack->numbers, text)) - 1;
  if (number < 0)
    {
      number = pack->texts->len;
      copy = g_strdup (text);
      g_ptr_array_add (pack->texts, copy);
      g_hash_table_insert (pack->numbers, copy, GSIZE_TO_POINTER ((gsize)number + 1));
      pack->text_bytes += strlen (text);
    }
  pack->last_text = g_ptr_array_index (pack->texts, (guint)number);
  pack->last_number = number;
  return number;
}

/* Takes the kind of a new value; FALSE if it does not go with those before. */
static gboolean
pack_take_kind (Pack *pack, char kind)
{
  PackValue *values = pack_get_values (pack);

  if (pack->head.kind == (guint64)kind)
    return TRUE;
  if (pack->head.kind == 'q' && kind == 'd')
    for (guint64 i = 0; i < pack->head.rows; i++)
      values[i].real = (double)values[i].integer;
  else if (pack->head.kind != 0)
    return FALSE;
  pack->head.kind = (guint64)kind;
  return TRUE;
}

/* Returns what is wrong with a value, or NULL. */
static const char *
pack_take_value (Pack *pack, sqlite3_value *given, PackValue *value)
{
  switch (sqlite3_value_type (given))
    {
    case SQLITE_INTEGER:
      value->integer = sqlite3_value_int64 (given);
      if (pack->head.kind == 'd')
        value->real = (double)value->integer;
      else if (!pack_take_kind (pack, 'q'))
        return "pack: a column has both texts and numbers";
      return NULL;
    case SQLITE_FLOAT:
      value->real = sqlite3_value_double (given);
      return pack_take_kind (pack, 'd') ? NULL : "pack: a column has both texts and numbers";
    case SQLITE_TEXT:
      value->integer = pack_find_text (pack, given);
      if (value->integer < 0)
        return "pack: a text has a byte that is 0";
      return pack_take_kind (pack, 't') ? NULL : "pack: a column has both texts and numbers";
    case SQLITE_NULL:
      value->integer = 0;
      pack->head.nulls++;
      return NULL;
    default:
      return "pack: a column has bytes that are no text";
    }
}

static void
pack_step (sqlite3_context *context, int n_values G_GNUC_UNUSED, sqlite3_value **values)
{
  Pack *pack = sqlite3_aggregate_context (context, sizeof (Pack));
  guint64 nulls = pack != NULL ? pack->head.nulls : 0;
  const char *wrong;

  if (pack == NULL || !pack_reserve (pack, sizeof (PackHead) + (pack->head.rows + 1) * sizeof (PackValue)))
    {
      sqlite3_result_error_nomem (context);
      return;
    }
  wrong = pack_take_value (pack, values[0], &pack_get_values (pack)[pack->head.rows]);
  if (wrong != NULL)
    sqlite3_result_error (context, wrong, -1);
  else if (!pack_set_present (pack, nulls == pack->head.nulls))
    sqlite3_result_error_nomem (context);
  else
    pack->head.rows++;
}

static char *
pack_append (char *at, gconstpointer data, gsize size)
{
  memcpy (at, data, size);
  return at + size;
}

/* Puts what follows the values behind them. */
static gboolean
pack_complete (Pack *pack)
{
  gsize words = pack->head.nulls > 0 ? (pack->head.rows + 63) / 64 : 0;
  gsize n_texts = pack->texts != NULL ? pack->texts->len : 0;
  gsize size = sizeof (PackHead) + (pack->head.rows + words) * 8;
  guint64 place = 0;
  char *at;

  if (pack->head.kind == 0)
    pack->head.kind = 'q';
  pack->head.texts = n_texts;
  pack->size = size + (n_texts > 0 ? (n_texts + 1) * 8 + pack->text_bytes : 0);
  if (!pack_reserve (pack, pack->size))
    return FALSE;
  memcpy (pack->bytes, &pack->head, sizeof pack->head);
  at = pack->bytes + sizeof (PackHead) + pack->head.rows * 8;
  if (words > 0)
    at = pack_append (at, pack->present, words * 8);
  for (gsize i = 0; i < n_texts; i++)
    {
      at = pack_append (at, &place, sizeof place);
      place += strlen (g_ptr_array_index (pack->texts, i));
    }
  if (n_texts > 0)
    at = pack_append (at, &place, sizeof place);
  for (gsize i = 0; i < n_texts; i++)
    at = pack_append (at, g_ptr_array_index (pack->texts, i), strlen (g_ptr_array_index (pack->texts, i)));
  return TRUE;
}

static void
pack_end (sqlite3_context *context)
{
  Pack empty = {0}, *pack = sqlite3_aggregate_context (context, 0);

  if (pack == NULL)
    pack = &empty;
  if (pack_complete (pack))
    sqlite3_result_blob64 (context, g_steal_pointer (&pack->bytes), pack->size, sqlite3_free);
  else
    sqlite3_result_error_nomem (context);
  sqlite3_free (pack->bytes);
  sqlite3_free (pack->present);
  g_clear_pointer (&pack->numbers, g_hash_table_unref);
  g_clear_pointer (&pack->texts, g_ptr_array_unref);
}

gboolean
lc_pack_read (sqlite3_value *value, LcPackedNumbers *numbers)
{
  gint64 one = sqlite3_value_int64 (value);
  const char *bytes;
  PackHead head;
  gsize size;

  *numbers = (LcPackedNumbers){0};
  if (sqlite3_value_type (value) == SQLITE_INTEGER)
    {
      numbers->all = g_memdup2 (&one, sizeof one);
      numbers->n = 1;
      return TRUE;
    }
  if (sqlite3_value_type (value) != SQLITE_BLOB || (size = (gsize)sqlite3_value_bytes (value)) < sizeof head)
    return FALSE;
  bytes = sqlite3_value_blob (value);
  memcpy (&head, bytes, sizeof head);
  if (head.kind != 'q' || head.nulls != 0 || head.texts != 0 || head.rows != (size - sizeof head) / 8 || size % 8 != 0)
    return FALSE;
  numbers->all = g_memdup2 (bytes + sizeof head, size - sizeof head);
  numbers->n = head.rows;
  return TRUE;
}

int
lc_database_add_pack (LcDatabase *database)
{
  return sqlite3_create_function_v2 (database->handle, "pack", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS,
                                     NULL, NULL, pack_step, pack_end, NULL);
}
