/* SPDX-License-Identifier: Apache-2.0 */
/* Empties the places in which a recorded program writes: what is in them goes to the files that it belongs to. */
#include "drain.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "accounts.h"
#include "adding.h"
#include "heads.h"
#include "lightcone/inputs-format.h"
#include "long-waits.h"
#include "ring.h"
#include "rounds.h"
#include "running.h"

#define HEADER_SIZE sizeof (struct lc_packet)
#define HEADS "heads-0"

/* Places that have room from the start, on a disk and in memory; later so many for each that is in use; and by how many
   more at once. */
#define FIRST_PLACES 1024u
#define FIRST_PLACES_IN_MEMORY 256u
#define FEWEST_PLACES 16u
#define PLACES_IN_STORE 8u
#define MOST_NEW_PLACES 2048u

/* us between rounds: when much is written, when nothing is, and between looks for what the dead have left. */
#define BUSY_PAUSE 1000
#define IDLE_PAUSE 4000
#define DEAD_PAUSE 500000
#define DISK_PAUSE 50000
#define REQUESTS_PAUSE 250000

/* The part of the disk that is left free: one in so many, but no more than these bytes. */
#define RESERVE_PART 20
#define RESERVE_MOST (G_GUINT64_CONSTANT (1) << 30)

struct _LcDrain
{
  LcFolder *folder, *streams;
  int heads;          /* a descriptor */
  gboolean in_memory; /* what is reserved of it is memory */
  struct lc_control *control;
  guint8 uuid[16];
  guint8 *memory;    /* of heads-0 */
  guint32 places;    /* that have room on the disk: our own number, whatever the control block says */
  guint64 written;   /* bytes */
  guint32 withdrawn; /* places that are free, but not for the program: the trace has no room for what it would write */
  LcDrainLimits limits;
  LcAccounts *accounts;
  LcRing *ring; /* only the newest packets are kept; NULL: all are */
  LcSwitches *switches;
  LcLongWaits *waits; /* NULL: nobody wants to know of them */
  gboolean locked;
  gboolean forced; /* nothing comes any more that something else would have to wait for */
  int problem;     /* errno of what could not be written; 0: nothing */
  gint64 looked_at_disk, looked_for_dead, copied_requests; /* us */
  guint16 copied[LC_PLACES];  /* bytes of a piece that is still being written and are in its file already */
  guint8 has_rank[LC_PLACES]; /* these begin with a header that says which rank of MPI it is */
  LcRounds *rounds;
};

/* The fate of a place in a round. */
typedef enum
{
  EMPTIED,
  LATER, /* something that is not there yet comes before it */
  FAILED,
} Outcome;

/* --- Places -------------------------------------------------------------------------------------------------- */

static guint64
drain_bit_of (guint32 place)
{
  return G_GUINT64_CONSTANT (1) << place % 64;
}

static gboolean
is_set (const guint64 *places, guint32 place)
{
  return (__atomic_load_n (&places[place / 64], __ATOMIC_ACQUIRE) & drain_bit_of (place)) != 0;
}

static void
set_bit (guint64 *places, guint32 place)
{
  __atomic_fetch_or (&places[place / 64], drain_bit_of (place), __ATOMIC_RELEASE);
}

static guint8 *
drain_memory_at (const LcDrain *drain, guint32 place)
{
  return drain->memory + (gsize)place * LC_HEAD_BYTES;
}

/* The magic number goes first: who reads the file must not find what is elsewhere already. */
static void
drain_free_place (LcDrain *drain, guint32 place)
{
  const guint32 none = 0;

  drain->copied[place] = 0;
  drain->has_rank[place] = FALSE;
  __atomic_store_n ((guint32 *)(void *)drain_memory_at (drain, place), none, __ATOMIC_RELEASE);
  __atomic_fetch_and (&drain->control->full_places[place / 64], ~drain_bit_of (place), __ATOMIC_RELEASE);
  set_bit (drain->control->free_places, place);
}

static guint32
drain_count_free (const LcDrain *drain)
{
  guint32 count = 0;

  for (guint32 word = 0; word < LC_PLACE_WORDS; word++)
    count += (guint32)__builtin_popcountll (__atomic_load_n (&drain->control->free_places[word], __ATOMIC_RELAXED));
  return count;
}

static gboolean
drain_reserve (LcDrain *drain, guint32 count)
{
  guint64 offset = (guint64)drain->places * LC_HEAD_BYTES, bytes = (guint64)count * LC_HEAD_BYTES;

  if (fallocate (drain->heads, 0, (off_t)offset, (off_t)bytes) == 0)
    return TRUE;
  if ((errno == EOPNOTSUPP || errno == ENOSYS) && lc_adding_fill (drain->heads, offset, bytes))
    return TRUE;
  (void)!ftruncate (drain->heads, (off_t)offset); /* what is too much is never used */
  return FALSE;
}

/* Fewer, if the disk has no room for all of them. */
static void
drain_add_places (LcDrain *drain, guint32 count)
{
  guint32 wanted = MIN (count, LC_PLACES - drain->places);

  for (count = wanted; count > 0 && !drain_reserve (drain, count);)
    count /= 2;
  __atomic_store_n (&drain->control->shortage, count < wanted ? LC_LOST_DISK : LC_LOST_FULL, __ATOMIC_RELAXED);
  for (guint32 i = 0; i < count; i++)
    set_bit (drain->control->free_places, drain->places + i);
  drain->places += count;
  __atomic_store_n (&drain->control->places, drain->places, __ATOMIC_RELEASE);
}

/* --- Files --------------------------------------------------------------------------------------------------- */

static gboolean
is_disk_full (int error)
{
  return error == ENOSPC || error == EDQUOT || error == EFBIG;
}

/* Nothing is emptied until there is room again, and threads that find no place count what they lose with the reason. */
static Outcome
drain_fail (LcDrain *drain, int error)
{
  drain->problem = error;
  __atomic_store_n (&drain->control->stopped, (is_disk_full (error) ? LC_LOST_DISK : LC_LOST_FILE) + 1,
                    __ATOMIC_RELAXED);
  return FAILED;
}

/* Adds bytes to a file where they belong. `sparse`: what comes before them may come later. */
static Outcome
drain_write (LcDrain *drain, int file, guint64 offset, gboolean sparse, const void *head, gsize head_bytes,
             const void *rest, gsize rest_bytes)
{
  struct stat status;
  guint64 size;

  if (file < 0 || fstat (file, &status) != 0)
    return drain_fail (drain, errno);
  size = (guint64)status.st_size;
  if (!S_ISREG (status.st_mode))
    return drain_fail (drain, EINVAL);
  if (offset > size && !sparse && !drain->forced)
    return LATER;
  if (offset > size && !sparse)
    offset = size;
  if (!lc_adding_write (file, size, offset, head, head_bytes, rest, rest_bytes))
    return drain_fail (drain, errno);
  if (drain->limits.is_safe && fdatasync (file) != 0)
    return drain_fail (drain, errno);
  drain->written += head_bytes + rest_bytes;
  return EMPTIED;
}

/* --- Packets ------------------------------------------------------------------------------------------------- */

/* Many threads end with little to tell: they share a file, and whoever closes the recording gives each its own. */
static Outcome
drain_only_packet (LcDrain *drain, const struct lc_packet *header, const guint8 *events)
{
  int file = lc_adding_open (drain->folder, "packets-0");
  struct stat status;
  Outcome outcome;

  if (file < 0 || fstat (file, &status) != 0)
    return drain_fail (drain, errno);
  outcome = drain_write (drain, file, (guint64)status.st_size, FALSE, header, HEADER_SIZE, events,
                         header->content_size / 8 - HEADER_SIZE);
  close (file);
  return outcome;
}

static Outcome
drain_packet (LcDrain *drain, const struct lc_packet *header, const guint8 *events)
{
  g_autofree char *name = NULL;
  Outcome outcome;
  int file;

  if (drain->ring != NULL)
    return lc_ring_add (drain->ring, header, events) ? EMPTIED : drain_fail (drain, errno);
  if (header->is_last && header->packet_seq_num == 0)
    return drain_only_packet (drain, header, events);
  name = g_strdup_printf ("process-%u", header->process);
  file = lc_adding_open (drain->streams, name);
  outcome = drain_write (drain, file, header->stream_offset, FALSE, header, HEADER_SIZE, events,
                         header->content_size / 8 - HEADER_SIZE);
  if (file >= 0)
    close (file);
  return outcome;
}

static gboolean
is_packet (const LcDrain *drain, const struct lc_packet *header)
{
  return lc_packet_is_ours (header, drain->uuid) && header->content_size == header->packet_size &&
         header->content_size % 8 == 0 && header->content_size / 8 >= HEADER_SIZE &&
         header->content_size / 8 <= LC_HEAD_BYTES && header->process != LC_NO_PROCESS;
}

/* --- Pieces -------------------------------------------------------------------------------------------------- */

static gboolean
is_piece (const LcDrain *drain, const struct lc_piece *piece)
{
  return piece->magic == LC_PIECE_MAGIC && memcmp (piece->uuid, drain->uuid, sizeof piece->uuid) == 0 &&
         piece->kind <= LC_PIECE_INPUTS && piece->bytes <= LC_PIECE_ROOM &&
         piece->offset <= G_MAXUINT32 * (guint64)sizeof (struct lc_object_record);
}

static int
open_snapshot (LcFolder *folder, const char *name)
{
  g_autoptr (LcFolder) inner = NULL;

  if (!lc_folder_has_folder (folder, "snapshots") && !lc_folder_make (folder, "snapshots", NULL))
    return -1;
  inner = lc_folder_open_inner (folder, "snapshots", NULL);
  return inner != NULL ? lc_adding_open (inner, name) : -1;
}

static int
drain_open_file_of (const LcDrain *drain, const struct lc_piece *piece)
{
  static const char *const prefixes[] = {"objects-", "requests-", "",
                                         "inputs-"}; /* as enum lc_piece_kind, and after it */
  g_autofree char *name = g_strdup_printf ("%s%u", prefixes[piece->kind], piece->number);

  return piece->kind == LC_PIECE_SNAPSHOT ? open_snapshot (drain->folder, name) : lc_adding_open (drain->folder, name);
}

/* Requests may be told in any order; and a gap in the objects is better than numbers that are not theirs. */
static gboolean
drain_is_sparse (const LcDrain *drain, const struct lc_piece *piece)
{
  return piece->kind == LC_PIECE_REQUESTS || (piece->kind == LC_PIECE_OBJECTS && drain->forced);
}

static Outcome
drain_piece (LcDrain *drain, const struct lc_piece *piece, const guint8 *bytes)
{
  Outcome outcome;
  int file;

  if (piece->bytes == 0)
    return EMPTIED;
  file = drain_open_file_of (drain, piece);
  outcome = drain_write (drain, file, piece->offset, drain_is_sparse (drain, piece), bytes, piece->bytes, NULL, 0);
  if (file >= 0)
    close (file);
  return outcome;
}

/* --- Rounds -------------------------------------------------------------------------------------------------- */

/* A place whose content makes no sense is left as it is: whoever closes the recording counts it. */
static Outcome
drain_place (LcDrain *drain, guint32 place)
{
  const guint8 *memory = drain_memory_at (drain, place);
  struct lc_packet packet;
  struct lc_piece piece;
  Outcome outcome = LATER;

  memcpy (&packet, memory, sizeof packet);
  memcpy (&piece, memory, sizeof piece);
  if (is_packet (drain, &packet))
    outcome = drain_packet (drain, &packet, memory + sizeof packet);
  else if (is_piece (drain, &piece))
    outcome = drain_piece (drain, &piece, memory + sizeof piece);
  if (outcome == EMPTIED)
    drain_free_place (drain, place);
  return outcome;
}

static guint32
drain_count_in_use (const LcDrain *drain)
{
  return drain->places - MIN (drain->places, drain_count_free (drain) + drain->withdrawn);
}

/* How many bytes the trace may still grow by, once all that is in places is in it as well. */
static guint64
drain_count_left (const LcDrain *drain)
{
  guint64 kept = drain->ring != NULL ? lc_ring_get_bytes (drain->ring) : 0;
  guint64 switches = __atomic_load_n (&drain->control->switch_bytes, __ATOMIC_RELAXED);
  guint64 taken = drain->written + kept + switches + (guint64)drain_count_in_use (drain) * LC_HEAD_BYTES;

  return drain->limits.max_size == 0 ? G_MAXUINT64 : drain->limits.max_size - MIN (taken, drain->limits.max_size);
}

static gboolean
drain_is_at_limit (const LcDrain *drain)
{
  return drain_count_left (drain) < LC_HEAD_BYTES;
}

/* A full place, and when its packet ended. */
typedef struct
{
  guint64 end; /* ticks; of a piece 0 */
  guint32 place;
} FullPlace;

static int
drain_compare_ends (gconstpointer a, gconstpointer b)
{
  const FullPlace *left = a, *right = b;

  if (left->end != right->end)
    return left->end < right->end ? -1 : 1;
  return left->place < right->place ? -1 : left->place > right->place;
}

static FullPlace
drain_describe_place (const LcDrain *drain, guint32 place)
{
  FullPlace full = {.place = place};
  struct lc_packet packet;

  memcpy (&packet, drain_memory_at (drain, place), sizeof packet);
  if (packet.magic == LC_CTF_MAGIC)
    full.end = packet.timestamp_end;
  return full;
}

/* In their order in time, if the oldest are dropped: else it does not matter which comes first. */
static GArray *
drain_list_full_places (const LcDrain *drain)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (FullPlace));

  for (guint32 word = 0; word * 64 < drain->places; word++)
    {
      guint64 bits = __atomic_load_n (&drain->control->full_places[word], __ATOMIC_ACQUIRE);

      for (; bits != 0; bits &= bits - 1)
        {
          guint32 place = word * 64 + (guint32)__builtin_ctzll (bits);

          if (place < drain->places)
            {
              FullPlace full = drain_describe_place (drain, place);

              g_array_append_val (list, full);
            }
        }
    }
  if (drain->ring != NULL)
    g_array_sort (list, drain_compare_ends);
  return list;
}

static guint
drain_full_places (LcDrain *drain)
{
  g_autoptr (GArray) list = drain_list_full_places (drain);
  guint emptied = 0;

  for (guint i = 0; i < list->len; i++)
    {
      Outcome outcome = drain_place (drain, g_array_index (list, FullPlace, i).place);

      if (outcome == FAILED || (lc_rounds_are_running (drain->rounds) && drain_is_at_limit (drain)))
        return emptied;
      emptied += outcome == EMPTIED;
    }
  return emptied;
}

/* --- What is still being written ------------------------------------------------------------------------------ */

/* MPI says late which rank an address space is: in a header that may have been copied. */
static gboolean
drain_has_rank (const struct lc_piece *piece, const guint8 *bytes)
{
  struct lc_objects_header header;

  if (piece->kind != LC_PIECE_OBJECTS || piece->offset != 0 || piece->bytes < sizeof header)
    return FALSE;
  memcpy (&header, bytes, sizeof header);
  return header.rank != 0 && header.ready != 0;
}

/* A piece that only grows is copied from where the last copy ended, one that changes as a whole. */
static void
drain_copy_piece (LcDrain *drain, guint32 place)
{
  const guint8 *memory = drain_memory_at (drain, place);
  struct lc_piece piece;
  gboolean has_rank;
  guint64 done;
  int file;

  memcpy (&piece, memory, sizeof piece);
  has_rank = drain_has_rank (&piece, memory + sizeof piece);
  done = piece.kind == LC_PIECE_OBJECTS && has_rank == drain->has_rank[place] ? drain->copied[place] : 0;
  if (!is_piece (drain, &piece) || piece.kind == LC_PIECE_SNAPSHOT || piece.kind == LC_PIECE_INPUTS ||
      piece.bytes <= done)
    return;
  file = drain_open_file_of (drain, &piece);
  if (drain_write (drain, file, piece.offset + done, piece.kind == LC_PIECE_REQUESTS, memory + sizeof piece + done,
                   (gsize)(piece.bytes - done), NULL, 0) == EMPTIED)
    {
      drain->copied[place] = (guint16)piece.bytes;
      drain->has_rank[place] = has_rank;
    }
  if (file >= 0)
    close (file);
}

/* Pieces are copied while they grow, so that readers of a recording that goes on find the names of objects. */
static void
drain_copy_pieces (LcDrain *drain)
{
  gint64 now = g_get_monotonic_time ();
  gboolean requests = now - drain->copied_requests >= REQUESTS_PAUSE;

  if (requests)
    drain->copied_requests = now;
  for (guint32 word = 0; word * 64 < drain->places; word++)
    {
      guint64 bits = ~(__atomic_load_n (&drain->control->free_places[word], __ATOMIC_ACQUIRE) |
                       __atomic_load_n (&drain->control->full_places[word], __ATOMIC_ACQUIRE));

      for (; bits != 0; bits &= bits - 1)
        {
          guint32 place = word * 64 + (guint32)__builtin_ctzll (bits);
          const struct lc_piece *piece = (const void *)drain_memory_at (drain, place);

          if (place < drain->places && piece->magic == LC_PIECE_MAGIC && (requests || piece->kind == LC_PIECE_OBJECTS))
            drain_copy_piece (drain, place);
        }
    }
}

/* A quarter of what a trace may be at most is enough for what is not written yet. */
static guint32
drain_most_places (const LcDrain *drain)
{
  guint64 most = drain->limits.max_size > 0 ? drain->limits.max_size / 4 / LC_HEAD_BYTES : LC_PLACES;

  return (guint32)CLAMP (most, FEWEST_PLACES, LC_PLACES);
}

static guint64
drain_reserve_of (const LcDrain *drain, const struct statvfs *disk)
{
  guint64 part = (guint64)disk->f_blocks * disk->f_frsize / RESERVE_PART;

  return drain->limits.reserve != LC_DRAIN_RESERVE ? drain->limits.reserve : MIN (part, RESERVE_MOST);
}

static gboolean
drain_is_disk_full (const LcDrain *drain)
{
  struct statvfs disk;

  return fstatvfs (drain->heads, &disk) == 0 &&
         (guint64)disk.f_bavail * disk.f_frsize < drain_reserve_of (drain, &disk);
}

/* A ring becomes shorter first. */
static gboolean
drain_has_no_room (LcDrain *drain)
{
  while (drain_is_disk_full (drain))
    if (drain->ring == NULL || !lc_ring_drop (drain->ring))
      return TRUE;
  return FALSE;
}

/* For good: nobody finds a place any more. */
static void
drain_end_at_limit (LcDrain *drain)
{
  __atomic_store_n (&drain->control->stopped, LC_LOST_LIMIT + 1, __ATOMIC_RELAXED);
  for (guint32 word = 0; word < LC_PLACE_WORDS; word++)
    __atomic_store_n (&drain->control->free_places[word], 0, __ATOMIC_RELAXED);
}

static gboolean
drain_may_write (LcDrain *drain)
{
  gint64 now = g_get_monotonic_time ();

  if (__atomic_load_n (&drain->control->stopped, __ATOMIC_RELAXED) == LC_LOST_LIMIT + 1)
    return FALSE;
  if (drain_is_at_limit (drain))
    {
      drain_end_at_limit (drain);
      return FALSE;
    }
  if (now - drain->looked_at_disk >= DISK_PAUSE)
    {
      drain->looked_at_disk = now;
      __atomic_store_n (&drain->control->stopped, drain_has_no_room (drain) ? LC_LOST_DISK + 1 : 0, __ATOMIC_RELAXED);
    }
  return __atomic_load_n (&drain->control->stopped, __ATOMIC_RELAXED) == 0;
}

/* Threads may be made faster than the disk finds room for them, unless it is found beforehand. */
static void
drain_keep_store (LcDrain *drain)
{
  guint32 wanted = (guint32)MIN ((guint64)drain_count_in_use (drain) * PLACES_IN_STORE, drain_most_places (drain));

  if (wanted > drain->places)
    drain_add_places (drain, MIN (wanted - drain->places, MOST_NEW_PLACES));
}

/*
 * Between two rounds threads can fill all places that are free. So there are no more of those than the trace has room
 * for. A ring makes room itself.
 */
static void
drain_withdraw_places (LcDrain *drain)
{
  guint64 left = drain_count_left (drain) / LC_HEAD_BYTES;
  guint32 count = drain_count_free (drain);

  if (drain->limits.max_size == 0 || drain->ring != NULL)
    return;
  for (guint32 place = drain->places; place > 0 && count > left;)
    {
      guint64 bit = drain_bit_of (--place);

      if ((__atomic_fetch_and (&drain->control->free_places[place / 64], ~bit, __ATOMIC_ACQ_REL) & bit) == 0)
        continue;
      __atomic_store_n (&drain->control->shortage, LC_LOST_LIMIT, __ATOMIC_RELAXED);
      drain->withdrawn++;
      count--;
    }
}

guint
lc_drain_round (LcDrain *drain)
{
  guint emptied = 0;

  if (drain_may_write (drain))
    {
      emptied = drain_full_places (drain);
      if (drain->ring != NULL)
        lc_ring_tick (drain->ring);
      drain_copy_pieces (drain);
      drain_keep_store (drain);
      drain_withdraw_places (drain);
    }
  __atomic_add_fetch (&drain->control->rounds, 1, __ATOMIC_RELAXED);
  return emptied;
}

/* --- What the dead have left --------------------------------------------------------------------------------- */

/* The owner of a place in use, by its header; 0: it has none, or is not written yet. */
static guint32
drain_owner (const LcDrain *drain, guint32 place, guint32 *instance)
{
  const guint8 *memory = drain_memory_at (drain, place);
  struct lc_packet packet;
  struct lc_piece piece;

  if (is_set (drain->control->free_places, place) || is_set (drain->control->full_places, place))
    return 0;
  memcpy (&packet, memory, sizeof packet);
  memcpy (&piece, memory, sizeof piece);
  if (lc_packet_is_ours (&packet, drain->uuid))
    {
      *instance = packet.instance;
      return packet.pid;
    }
  if (!is_piece (drain, &piece))
    return 0;
  *instance = piece.instance;
  return piece.pid;
}

/* Ends a packet whose process cannot do so itself any more. */
static void
drain_cut_packet (LcDrain *drain, guint32 place)
{
  struct lc_packet *packet = (struct lc_packet *)(void *)drain_memory_at (drain, place);
  gsize size = (gsize)MIN (packet->content_size / 8, LC_HEAD_BYTES);
  LcPacketEvents events = {0};

  if (size >= HEADER_SIZE)
    lc_packet_events_read (&events, packet->format_version, (const guint8 *)packet + HEADER_SIZE, size - HEADER_SIZE);
  packet->content_size = packet->packet_size = (HEADER_SIZE + events.bytes) * 8;
  packet->timestamp_end = MAX (packet->timestamp_begin, events.last_end);
  if (packet->state != LC_STATE_ENDED)
    packet->state = LC_STATE_CUT;
}

static void
drain_take_over (LcDrain *drain, guint32 place)
{
  const struct lc_packet *packet = (const void *)drain_memory_at (drain, place);

  if (lc_packet_is_ours (packet, drain->uuid))
    {
      lc_accounts_close (drain->accounts, packet);
      drain_cut_packet (drain, place);
    }
  set_bit (drain->control->full_places, place);
}

void
lc_drain_end_program (LcDrain *drain, guint32 pid)
{
  lc_accounts_end_program (drain->accounts, pid);
}

guint
lc_drain_dead (LcDrain *drain)
{
  g_autoptr (LcRunning) running = lc_running_new (drain->heads);
  guint taken = 0;

  for (guint32 place = 0; place < drain->places; place++)
    {
      guint32 instance = 0, pid = drain_owner (drain, place, &instance);

      if (pid != 0)
        lc_running_add (running, pid, instance);
    }
  for (guint32 place = 0; place < drain->places; place++)
    {
      guint32 instance = 0, pid = drain_owner (drain, place, &instance);

      /* A process that has begun since the first look is not known yet, and is not dead for that. */
      if (pid != 0)
        lc_running_add (running, pid, instance);
      if (pid == 0 || lc_running_has (running, pid, instance))
        continue;
      drain_take_over (drain, place);
      taken++;
    }
  return taken;
}

/* --- The end ------------------------------------------------------------------------------------------------- */

static gboolean
drain_has_full (const LcDrain *drain)
{
  for (guint32 word = 0; word < LC_PLACE_WORDS; word++)
    if (__atomic_load_n (&drain->control->full_places[word], __ATOMIC_ACQUIRE) != 0)
      return TRUE;
  return FALSE;
}

/* The program may have filled the disk: what is free of our own file goes first. */
static void
drain_give_room_back (LcDrain *drain)
{
  for (guint32 place = 0; place < drain->places; place++)
    if (is_set (drain->control->free_places, place))
      fallocate (drain->heads, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)place * LC_HEAD_BYTES, LC_HEAD_BYTES);
}

/* Rounds until nothing changes: first in order, then whatever is left. */
static void
drain_until_empty (LcDrain *drain)
{
  gboolean made_room = FALSE;

  for (;;)
    {
      guint emptied;

      drain->problem = 0;
      emptied = drain_full_places (drain);
      if (!drain_has_full (drain))
        return;
      if (is_disk_full (drain->problem) && (emptied > 0 || !made_room))
        {
          drain_give_room_back (drain);
          made_room = TRUE;
        }
      else if (emptied == 0 && drain->problem == 0 && !drain->forced)
        drain->forced = TRUE;
      else if (emptied == 0)
        return;
    }
}

gboolean
lc_drain_finish (LcDrain *drain, GError **error)
{
  lc_drain_stop (drain);
  lc_drain_lock (drain);
  lc_switches_end (drain->switches);
  lc_drain_dead (drain);
  drain_until_empty (drain);
  if (drain->problem == 0 && !lc_accounts_write (drain->accounts, drain->folder))
    drain->problem = errno;
  if (drain->problem == 0)
    return TRUE;
  g_set_error (error, G_FILE_ERROR, (gint)g_file_error_from_errno (drain->problem),
               "not all that was recorded could be written: %s", g_strerror (drain->problem));
  return FALSE;
}

/* --- The thread ---------------------------------------------------------------------------------------------- */

LcSwitches *
lc_drain_get_switches (LcDrain *drain)
{
  return drain->switches;
}

gboolean
lc_drain_lock (LcDrain *drain)
{
  struct stat status;

  if (drain->locked)
    return TRUE;
  drain->locked = flock (drain->heads, LOCK_EX | LOCK_NB) == 0;
  /* Another one may have made more places meanwhile. */
  if (drain->locked && fstat (drain->heads, &status) == 0)
    drain->places = (guint32)MIN ((guint64)status.st_size / LC_HEAD_BYTES, LC_PLACES);
  return drain->locked;
}

static gint64
drain_work (gpointer data)
{
  LcDrain *drain = data;
  gint64 now = g_get_monotonic_time ();
  guint emptied;

  lc_switches_round (drain->switches);
  if (!lc_drain_lock (drain))
    return IDLE_PAUSE;
  if (now - drain->looked_for_dead >= DEAD_PAUSE)
    {
      drain->looked_for_dead = now;
      lc_drain_dead (drain);
    }
  lc_accounts_ask (drain->accounts, drain->memory, drain->places, drain->control);
  lc_long_waits_look (g_atomic_pointer_get (&drain->waits), drain->memory, drain->places);
  emptied = lc_drain_round (drain);
  return emptied > 0 ? BUSY_PAUSE : IDLE_PAUSE;
}

void
lc_drain_watch_waits (LcDrain *drain, const LcLongWaitSettings *settings)
{
  g_return_if_fail (drain->waits == NULL);
  g_atomic_pointer_set (&drain->waits, lc_long_waits_new (settings, drain->control, drain->heads));
}

gboolean
lc_drain_start (LcDrain *drain, GError **error)
{
  return lc_rounds_start (drain->rounds, error);
}

void
lc_drain_stop (LcDrain *drain)
{
  lc_rounds_stop (drain->rounds);
}

void
lc_drain_leave (LcDrain *drain)
{
  lc_drain_stop (drain);
  if (drain->locked)
    flock (drain->heads, LOCK_UN);
  drain->locked = FALSE;
}

/* --- All of it ----------------------------------------------------------------------------------------------- */

static gboolean
drain_map_heads (LcDrain *drain, GError **error)
{
  const gsize bytes = (gsize)LC_PLACES * LC_HEAD_BYTES;
  struct stat status;
  struct statfs disk;

  drain->in_memory = fstatfs (drain->heads, &disk) == 0 && (disk.f_type == TMPFS_MAGIC || disk.f_type == RAMFS_MAGIC);
  if (fstat (drain->heads, &status) == 0)
    drain->memory = mmap (NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, drain->heads, 0);
  if (drain->memory == NULL || drain->memory == MAP_FAILED)
    {
      drain->memory = NULL;
      lc_folder_set_error (drain->folder, HEADS, errno, error);
      return FALSE;
    }
  /* Pages that were read ahead would look as if they had been written to. */
  madvise (drain->memory, bytes, MADV_RANDOM);
  drain->places = (guint32)MIN ((guint64)status.st_size / LC_HEAD_BYTES, LC_PLACES);
  return TRUE;
}

LcDrain *
lc_drain_new (LcFolder *folder, struct lc_control *control, gboolean make, const LcDrainLimits *limits, GError **error)
{
  g_autoptr (LcDrain) drain = g_new0 (LcDrain, 1);

  drain->rounds = lc_rounds_new ("drain", drain_work, drain);
  drain->heads = -1;
  drain->control = control;
  drain->limits = *limits;
  drain->switches = lc_switches_new (folder, control);
  drain->accounts = lc_accounts_new ((enum lc_clock)control->clock);
  memcpy (drain->uuid, control->uuid, sizeof drain->uuid);
  drain->folder = lc_folder_ref (folder);
  drain->streams = lc_folder_open_inner (folder, "ctf", error);
  if (drain->streams == NULL)
    return NULL;
  drain->heads = make ? lc_folder_create (folder, HEADS, error) : lc_folder_open_to_change (folder, HEADS, 0, error);
  if (drain->heads < 0 || !drain_map_heads (drain, error))
    return NULL;
  drain->ring = lc_ring_new (folder, control, make);
  if (make)
    drain_add_places (drain, MIN (drain->in_memory ? FIRST_PLACES_IN_MEMORY : FIRST_PLACES, drain_most_places (drain)));
  return g_steal_pointer (&drain);
}

void
lc_drain_free (LcDrain *drain)
{
  if (drain == NULL)
    return;
  lc_rounds_free (drain->rounds);
  if (drain->memory != NULL)
    munmap (drain->memory, (gsize)LC_PLACES * LC_HEAD_BYTES);
  if (drain->heads >= 0)
    close (drain->heads);
  lc_ring_free (drain->ring);
  lc_long_waits_free (drain->waits);
  lc_switches_free (drain->switches);
  lc_accounts_free (drain->accounts);
  lc_folder_unref (drain->streams);
  lc_folder_unref (drain->folder);
  g_free (drain);
}
