/* SPDX-License-Identifier: Apache-2.0 */
/* Records of objects, regions and functions in objects-I, written in pieces one after the other. */
#include <string.h>

#include "places.h"
#include "recorder.h"

enum
{
  RECORD = sizeof (struct lc_object_record),
  LONGEST_NAME = 4352,
};

static struct lc_piece *piece;           /* piece that is being written; NULL: none yet, or given away */
static struct lc_objects_header *header; /* NULL once its piece is given away */
static uint64_t next;                    /* offset in the file after all pieces given away */
static uint32_t lock;

void
lc_records_forget (void)
{
  lock = 0;
  piece = NULL;
  header = NULL;
  next = 0;
}

static void
records_give (void)
{
  if (piece == NULL)
    return;
  next = piece->offset + piece->bytes;
  header = NULL;
  lc_place_give (piece);
  piece = NULL;
}

static void
records_begin (void)
{
  struct lc_objects_header first = {
      .version = LC_OBJECTS_VERSION, .instance = lc_instance - 1, .pid = lc_pid, .parent = LC_NO_PROCESS};

  memcpy (first.magic, "LCOBJECT", sizeof first.magic);
  header = (struct lc_objects_header *)(void *)lc_piece_bytes (piece);
  lc_piece_append (piece, &first, sizeof first);
}

/* Takes another piece if the current one has no room for so many bytes. */
static bool
records_have_room (size_t bytes)
{
  if (piece != NULL && piece->bytes + bytes <= LC_PIECE_ROOM)
    return true;
  records_give ();
  piece = lc_piece_take (LC_PIECE_OBJECTS, lc_instance - 1, next);
  if (piece == NULL)
    return false;
  if (next == 0)
    records_begin ();
  return true;
}

static uint32_t
records_add (struct lc_object_record *record, const char *name)
{
  size_t rest = (RECORD - record->name_length % RECORD) % RECORD;
  uint64_t place = piece->offset + piece->bytes;
  unsigned char *to = lc_piece_bytes (piece) + piece->bytes;

  memcpy (to, record, RECORD);
  memcpy (to + RECORD, name, record->name_length);
  memset (to + RECORD + record->name_length, 0, rest);
  __atomic_store_n (&piece->bytes, piece->bytes + RECORD + record->name_length + rest, __ATOMIC_RELEASE);
  return place / RECORD < LC_OBJECT_SHARED ? (uint32_t)(place / RECORD) : 0;
}

uint32_t
lc_object_new (const struct lc_object_record *record, const char *name)
{
  return lc_object_new_bytes (record, name, name != NULL ? strlen (name) : 0);
}

uint32_t
lc_object_new_bytes (const struct lc_object_record *record, const char *name, size_t length)
{
  struct lc_object_record copy = *record;

  copy.ticks = lc_now ();
  return lc_object_new_at (&copy, name, length);
}

uint32_t
lc_object_new_at (const struct lc_object_record *record, const char *name, size_t length)
{
  struct lc_object_record copy = *record;
  uint32_t id = 0;

  copy.name_length = (uint16_t)(length < LONGEST_NAME ? length : LONGEST_NAME);
  lc_lock (&lock);
  if (records_have_room (RECORD + (copy.name_length + RECORD - 1) / RECORD * RECORD))
    id = records_add (&copy, name != NULL ? name : "");
  lc_unlock (&lock);
  return id;
}

/* Writes the rank on its own if the header has already been given away. */
static bool
records_write_rank (const struct lc_objects_header *rank)
{
  const size_t first = offsetof (struct lc_objects_header, rank),
               bytes = offsetof (struct lc_objects_header, reserved) - first;
  const struct lc_part part = {(const char *)rank + first, bytes};

  if (header == NULL)
    return lc_pieces_write (LC_PIECE_OBJECTS, lc_instance - 1, first, &part, 1);
  memcpy ((char *)header + first, part.data, bytes);
  return true;
}

bool
lc_objects_rank (uint32_t rank, uint32_t ranks)
{
  const struct lc_objects_header wanted = {.rank = rank + 1, .ranks = ranks, .ready = lc_now ()};
  bool written;

  lc_lock (&lock);
  written = (next > 0 || records_have_room (sizeof wanted)) && records_write_rank (&wanted);
  lc_unlock (&lock);
  return written;
}

void
lc_records_rest (void)
{
  struct lc_slow slow;

  lc_slow_begin (&slow);
  lc_lock (&lock);
  if (piece != NULL && piece->bytes > 0)
    records_give ();
  lc_unlock (&lock);
  lc_slow_end (&slow);
}
