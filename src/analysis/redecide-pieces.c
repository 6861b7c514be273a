/* SPDX-License-Identifier: Apache-2.0 */
/* The order in which pieces of work were handed out: a word for each, in an unlinked temporary file. */
#include "redecide-private.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

/*
 * An epoch is a run of pieces that may move, followed by pieces that stay, one for each process that found nothing
 * left. The movable pieces go to whichever process comes; then each process takes its own. As when measured, the next
 * epoch begins when all have taken theirs.
 */
struct _LcPieces
{
  guint32 *words; /* mapped; 0: there is no piece of this number */
  gsize room;     /* in words */
  int file;
  gint64 first, last; /* numbers; last < first: none yet */
  gint64 at;          /* the next number to hand out */
  guint32 *own;       /* by process: pieces of this epoch that stay and are left */
  guint64 n_own;
  gboolean news;
};

#define MOVABLE (UINT32_C (1) << 31)

enum
{
  LEAST = 1 << 12, /* words, at least */
  NEAR = 1 << 22,  /* pieces that one process can take before another one is looked at */
};

LcPieces *
lc_pieces_new (void)
{
  LcPieces *pieces = g_new0 (LcPieces, 1);

  pieces->file = -1;
  pieces->last = -1;
  return pieces;
}

void
lc_pieces_free (LcPieces *pieces)
{
  if (pieces->words != NULL)
    munmap (pieces->words, pieces->room * sizeof *pieces->words);
  if (pieces->file >= 0)
    close (pieces->file);
  g_free (pieces->own);
  g_free (pieces);
}

static int
open_unseen (void)
{
  g_autofree char *path = NULL;
  int file = g_file_open_tmp ("lightcone-XXXXXX", &path, NULL);

  if (file >= 0)
    unlink (path);
  return file;
}

static gboolean
redecide_pieces_make_room (LcPieces *pieces, gsize words)
{
  gsize room = MAX (LEAST, pieces->room);
  void *map;

  if (words <= pieces->room)
    return TRUE;
  while (room < words)
    room *= 2;
  if (pieces->file < 0)
    pieces->file = open_unseen ();
  if (pieces->file < 0 || posix_fallocate (pieces->file, 0, (off_t)(room * sizeof *pieces->words)) != 0)
    return FALSE;
  map =
      pieces->words == NULL
          ? mmap (NULL, room * sizeof *pieces->words, PROT_READ | PROT_WRITE, MAP_SHARED, pieces->file, 0)
          : mremap (pieces->words, pieces->room * sizeof *pieces->words, room * sizeof *pieces->words, MREMAP_MAYMOVE);
  if (map == MAP_FAILED)
    return FALSE;
  pieces->words = map;
  pieces->room = room;
  return TRUE;
}

/* A number far from all others would make a huge file. A process that was preempted leaves many pieces to others. */
static gboolean
is_near (const LcPieces *pieces, gint64 number)
{
  gint64 length = pieces->last - pieces->first + 1;

  return number >= pieces->first && number - pieces->last <= MAX (length, NEAR);
}

gboolean
lc_pieces_add (LcPieces *pieces, gint64 number, guint32 process)
{
  if (pieces->last < pieces->first)
    {
      pieces->first = number < NEAR && number >= 0 ? 0 : number;
      pieces->last = pieces->first;
    }
  if (!is_near (pieces, number) || !redecide_pieces_make_room (pieces, (gsize)(number - pieces->first) + 1) ||
      pieces->words[number - pieces->first] != 0)
    return FALSE;
  pieces->words[number - pieces->first] = process + 1;
  pieces->last = MAX (pieces->last, number);
  return TRUE;
}

void
lc_pieces_set_movable (LcPieces *pieces, gint64 number)
{
  pieces->words[number - pieces->first] |= MOVABLE;
}

void
lc_pieces_rewind (LcPieces *pieces, guint32 n_processes)
{
  g_free (pieces->own);
  pieces->own = g_new0 (guint32, MAX (n_processes, 1));
  pieces->n_own = 0;
  pieces->at = pieces->first;
  pieces->news = FALSE;
}

/* Goes on to the next movable piece, counting the pieces that stay. */
static void
end_epoch (LcPieces *pieces)
{
  for (; pieces->at <= pieces->last; pieces->at++)
    {
      guint32 word = pieces->words[pieces->at - pieces->first];

      if (word & MOVABLE)
        return;
      if (word == 0)
        continue;
      pieces->own[word - 1]++;
      pieces->n_own++;
    }
}

guint32
lc_pieces_take (LcPieces *pieces, guint32 process, gboolean *movable)
{
  guint32 word;

  *movable = FALSE;
  if (pieces->n_own == 0)
    {
      while (pieces->at <= pieces->last && pieces->words[pieces->at - pieces->first] == 0)
        pieces->at++;
      word = pieces->at <= pieces->last ? pieces->words[pieces->at - pieces->first] : 0;
      if (word & MOVABLE)
        {
          pieces->at++;
          *movable = TRUE;
          return (word & ~MOVABLE) - 1;
        }
      end_epoch (pieces);
    }
  if (pieces->own[process] == 0)
    return LC_TRACE_NONE;
  pieces->own[process]--;
  pieces->news |= --pieces->n_own == 0;
  return process;
}

gboolean
lc_pieces_has_news (LcPieces *pieces)
{
  gboolean news = pieces->news;

  pieces->news = FALSE;
  return news;
}
