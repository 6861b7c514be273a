/* SPDX-License-Identifier: Apache-2.0 */
/* A PNG that moves: the chunks of single PNGs, put together as the specification of PNG (third edition) says. */
#include "draw/canvas/animated-png.h"

#include <math.h>
#include <string.h>

#include "trace/crc.h"

enum
{
  SIGNATURE = 8,     /* bytes before the first chunk */
  AROUND = 12,       /* bytes of a chunk besides its data: length, type, checksum */
  HEADER = 13,       /* bytes of data of IHDR */
  PER_SECOND = 1000, /* the unit of delays */
  LONGEST = G_MAXUINT16,
};

struct _LcAnimatedPng
{
  GByteArray *bytes;
  guint n_frames;
  guint n_added;
  guint32 sequence; /* of the next chunk that has a number */
  guint16 delay;    /* thousandths of a second */
  guint8 header[HEADER];
};

typedef struct
{
  const char *type; /* four bytes */
  const guint8 *data;
  guint32 length;
} Chunk;

LcAnimatedPng *
lc_animated_png_new (guint n_frames, double seconds)
{
  LcAnimatedPng *png = g_new0 (LcAnimatedPng, 1);

  png->bytes = g_byte_array_new ();
  png->n_frames = n_frames;
  png->delay = (guint16)CLAMP (round (seconds * PER_SECOND), 1, LONGEST);
  return png;
}

void
lc_animated_png_free (LcAnimatedPng *png)
{
  if (png == NULL)
    return;
  g_clear_pointer (&png->bytes, g_byte_array_unref);
  g_free (png);
}

/* --- Reading --------------------------------------------------------------------------------------------------------
 */

static guint32
animated_png_get_number (const guint8 *bytes)
{
  return (guint32)bytes[0] << 24 | (guint32)bytes[1] << 16 | (guint32)bytes[2] << 8 | bytes[3];
}

/* Reads the chunk at `*at`, and goes on behind it. FALSE: there is no whole one. */
static gboolean
animated_png_next (const guint8 *bytes, gsize n_bytes, gsize *at, Chunk *chunk)
{
  if (n_bytes - *at < AROUND)
    return FALSE;
  *chunk = (Chunk){(const char *)bytes + *at + 4, bytes + *at + 8, animated_png_get_number (bytes + *at)};
  if (chunk->length > n_bytes - *at - AROUND)
    return FALSE;
  *at += AROUND + chunk->length;
  return TRUE;
}

static gboolean
animated_png_is (const Chunk *chunk, const char *type)
{
  return memcmp (chunk->type, type, 4) == 0;
}

/* Whether a PNG is whole, and of the size and format of those before it. */
static gboolean
animated_png_fits (LcAnimatedPng *png, const guint8 *bytes, gsize n_bytes)
{
  gsize at = SIGNATURE;
  Chunk chunk;

  if (n_bytes < SIGNATURE || memcmp (bytes, "\x89PNG\r\n\x1a\n", SIGNATURE) != 0 ||
      !animated_png_next (bytes, n_bytes, &at, &chunk) || !animated_png_is (&chunk, "IHDR") || chunk.length != HEADER ||
      (png->n_added > 0 && memcmp (chunk.data, png->header, HEADER) != 0))
    return FALSE;
  memcpy (png->header, chunk.data, HEADER);
  while (animated_png_next (bytes, n_bytes, &at, &chunk))
    if (animated_png_is (&chunk, "IEND"))
      return TRUE;
  return FALSE;
}

/* --- Writing --------------------------------------------------------------------------------------------------------
 */

static void
animated_png_put_number (LcAnimatedPng *png, guint32 number)
{
  const guint8 bytes[] = {(guint8)(number >> 24), (guint8)(number >> 16), (guint8)(number >> 8), (guint8)number};

  g_byte_array_append (png->bytes, bytes, sizeof bytes);
}

static void
animated_png_put_short (LcAnimatedPng *png, guint16 number)
{
  const guint8 bytes[] = {(guint8)(number >> 8), (guint8)number};

  g_byte_array_append (png->bytes, bytes, sizeof bytes);
}

/* Begins a chunk, and gives the place that animated_png_end_chunk needs. */
static guint
animated_png_begin_chunk (LcAnimatedPng *png, guint32 length, const char *type)
{
  guint place;

  animated_png_put_number (png, length);
  place = png->bytes->len;
  g_byte_array_append (png->bytes, (const guint8 *)type, 4);
  return place;
}

/* The checksum is of the type and the data. */
static void
animated_png_end_chunk (LcAnimatedPng *png, guint place)
{
  animated_png_put_number (png, lc_crc (0, png->bytes->data + place, png->bytes->len - place));
}

static void
animated_png_put_chunk (LcAnimatedPng *png, const char *type, const guint8 *data, guint32 length)
{
  guint place = animated_png_begin_chunk (png, length, type);

  g_byte_array_append (png->bytes, data, length);
  animated_png_end_chunk (png, place);
}

/* acTL: how many pictures there are, and that they are repeated for ever. */
static void
animated_png_put_animation (LcAnimatedPng *png)
{
  guint place = animated_png_begin_chunk (png, 8, "acTL");

  animated_png_put_number (png, png->n_frames);
  animated_png_put_number (png, 0);
  animated_png_end_chunk (png, place);
}

/* fcTL: each picture is as large as the whole, and takes the place of the one before. */
static void
animated_png_put_control (LcAnimatedPng *png)
{
  static const guint8 how[] = {0, 0}; /* leave it when its time is over, and replace what was there */
  guint place = animated_png_begin_chunk (png, 26, "fcTL");

  animated_png_put_number (png, png->sequence++);
  g_byte_array_append (png->bytes, png->header, 8); /* width and height */
  animated_png_put_number (png, 0);
  animated_png_put_number (png, 0);
  animated_png_put_short (png, png->delay);
  animated_png_put_short (png, PER_SECOND);
  g_byte_array_append (png->bytes, how, sizeof how);
  animated_png_end_chunk (png, place);
}

/* The data of the first picture are those of a usual PNG; those of the others have a number before them. */
static void
animated_png_put_data (LcAnimatedPng *png, const Chunk *chunk)
{
  guint place;

  if (png->n_added == 0)
    {
      animated_png_put_chunk (png, "IDAT", chunk->data, chunk->length);
      return;
    }
  place = animated_png_begin_chunk (png, chunk->length + 4, "fdAT");
  animated_png_put_number (png, png->sequence++);
  g_byte_array_append (png->bytes, chunk->data, chunk->length);
  animated_png_end_chunk (png, place);
}

gboolean
lc_animated_png_add (LcAnimatedPng *png, const guint8 *bytes, gsize n_bytes)
{
  gsize at = SIGNATURE;
  gboolean controlled = FALSE;
  Chunk chunk;

  g_return_val_if_fail (png->n_added < png->n_frames, FALSE);

  if (!animated_png_fits (png, bytes, n_bytes))
    return FALSE;
  if (png->n_added == 0)
    g_byte_array_append (png->bytes, bytes, SIGNATURE);
  while (animated_png_next (bytes, n_bytes, &at, &chunk) && !animated_png_is (&chunk, "IEND"))
    {
      const gboolean is_data = animated_png_is (&chunk, "IDAT");

      if (is_data && !controlled)
        animated_png_put_control (png);
      controlled |= is_data;
      if (is_data)
        animated_png_put_data (png, &chunk);
      else if (png->n_added == 0)
        animated_png_put_chunk (png, chunk.type, chunk.data, chunk.length);
      if (png->n_added == 0 && animated_png_is (&chunk, "IHDR"))
        animated_png_put_animation (png);
    }
  png->n_added++;
  return TRUE;
}

GByteArray *
lc_animated_png_finish (LcAnimatedPng *png)
{
  g_return_val_if_fail (png->n_added == png->n_frames, NULL);

  animated_png_put_chunk (png, "IEND", NULL, 0);
  return g_steal_pointer (&png->bytes);
}
