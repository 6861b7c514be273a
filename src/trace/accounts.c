/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps what the kernel last said of each thread, until the thread is gone. */
#include "accounts.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "adding.h"
#include "clock.h"
#include "heads.h"

enum
{
  PAUSE = 250000,  /* us between questions */
  MOST_ASKED = 32, /* threads to ask about at once, which takes some 20 us each */
};

struct _LcAccounts
{
  gint64 last;        /* us: of the last questions */
  guint32 next_place; /* to look at then */
  enum lc_clock clock;
  GHashTable *asked;     /* process -> struct lc_account_record, owned */
  GArray *closed;        /* Closed, by time */
  guint64 program_ended; /* ticks; 0: not yet */
  guint32 program;       /* its pid */
};

typedef struct
{
  guint32 instance;
  guint32 pid;
  struct lc_account_record record;
} Closed;

LcAccounts *
lc_accounts_new (enum lc_clock clock)
{
  LcAccounts *accounts = g_new0 (LcAccounts, 1);

  accounts->clock = clock;
  accounts->asked = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  accounts->closed = g_array_new (FALSE, FALSE, sizeof (Closed));
  return accounts;
}

void
lc_accounts_free (LcAccounts *accounts)
{
  if (accounts == NULL)
    return;
  g_hash_table_unref (accounts->asked);
  g_array_unref (accounts->closed);
  g_free (accounts);
}

/* --- The kernel -------------------------------------------------------------------------------------------- */

static char *
accounts_read_file (const struct lc_packet *packet, const char *file)
{
  g_autofree char *path = g_strdup_printf ("/proc/%u/task/%u/%s", packet->pid, packet->thread, file);
  char *text = NULL;

  return g_file_get_contents (path, &text, NULL, NULL) ? text : NULL;
}

static guint64
accounts_find_number (const char *text, const char *label)
{
  const char *line = text != NULL ? strstr (text, label) : NULL;

  return line != NULL ? g_ascii_strtoull (line + strlen (label), NULL, 10) : LC_ACCOUNT_UNKNOWN;
}

static void
accounts_ask_thread (LcAccounts *accounts, const struct lc_packet *packet)
{
  g_autofree char *times = accounts_read_file (packet, "schedstat"), *status = NULL;
  struct lc_account_record record = {.object_class = LC_CLASS_ACCOUNT,
                                     .kind = LC_ACCOUNT_SEEN,
                                     .more = sizeof record - sizeof (struct lc_object_record),
                                     .of = packet->thread,
                                     .running = LC_ACCOUNT_UNKNOWN,
                                     .runnable = LC_ACCOUNT_UNKNOWN};
  char *rest;

  if (times == NULL)
    return;
  record.running = g_ascii_strtoull (times, &rest, 10);
  record.runnable = g_ascii_strtoull (rest, NULL, 10);
  status = accounts_read_file (packet, "status");
  record.voluntary = accounts_find_number (status, "\nvoluntary_ctxt_switches:");
  record.involuntary = accounts_find_number (status, "\nnonvoluntary_ctxt_switches:");
  record.ended = record.asked = lc_clock_stamp (accounts->clock).ticks;
  g_hash_table_insert (accounts->asked, GUINT_TO_POINTER (packet->process), g_memdup2 (&record, sizeof record));
}

static gboolean
accounts_is_in_use (const struct lc_control *control, guint32 place)
{
  const guint64 bit = G_GUINT64_CONSTANT (1) << place % 64;

  return ((__atomic_load_n (&control->free_places[place / 64], __ATOMIC_ACQUIRE) |
           __atomic_load_n (&control->full_places[place / 64], __ATOMIC_ACQUIRE)) &
          bit) == 0;
}

void
lc_accounts_ask (LcAccounts *accounts, const guint8 *memory, guint32 places, const struct lc_control *control)
{
  const gint64 now = g_get_monotonic_time ();
  guint n = 0;

  if (now - accounts->last < PAUSE)
    return;
  accounts->last = now;
  for (guint32 i = 0; i < places && n < MOST_ASKED; i++)
    {
      const guint32 place = accounts->next_place++ % places;
      struct lc_packet packet;

      if (!accounts_is_in_use (control, place))
        continue;
      memcpy (&packet, memory + (gsize)place * LC_HEAD_BYTES, sizeof packet);
      if (!lc_packet_is_ours (&packet, control->uuid) || packet.state == LC_STATE_ENDED)
        continue;
      accounts_ask_thread (accounts, &packet);
      n++;
    }
}

/* --- Ends -------------------------------------------------------------------------------------------------- */

void
lc_accounts_end_program (LcAccounts *accounts, guint32 pid)
{
  __atomic_store_n (&accounts->program, pid, __ATOMIC_RELAXED);
  __atomic_store_n (&accounts->program_ended, lc_clock_stamp (accounts->clock).ticks, __ATOMIC_RELEASE);
}

/*
 * When a thread ended: with the program that was started here; or when its address space executed another program,
 * which its first packet tells better; else it was last seen when the kernel was asked. 0: not known.
 */
static guint64
accounts_find_end (LcAccounts *accounts, const struct lc_packet *packet, const struct lc_account_record *asked)
{
  guint64 ended = __atomic_load_n (&accounts->program_ended, __ATOMIC_ACQUIRE);

  if (ended != 0 && __atomic_load_n (&accounts->program, __ATOMIC_RELAXED) == packet->pid)
    return ended;
  if (asked == NULL)
    return 0;
  return kill ((pid_t)packet->pid, 0) == 0 ? lc_clock_stamp (accounts->clock).ticks : asked->ended;
}

void
lc_accounts_close (LcAccounts *accounts, const struct lc_packet *packet)
{
  const struct lc_account_record *asked = g_hash_table_lookup (accounts->asked, GUINT_TO_POINTER (packet->process));
  Closed closed = {packet->instance,
                   packet->pid,
                   {.object_class = LC_CLASS_ACCOUNT,
                    .kind = LC_ACCOUNT_SEEN,
                    .more = sizeof closed.record - sizeof (struct lc_object_record),
                    .of = packet->thread,
                    .running = LC_ACCOUNT_UNKNOWN,
                    .runnable = LC_ACCOUNT_UNKNOWN,
                    .voluntary = LC_ACCOUNT_UNKNOWN,
                    .involuntary = LC_ACCOUNT_UNKNOWN}};
  guint64 ended = accounts_find_end (accounts, packet, asked);

  if (ended == 0 || packet->state == LC_STATE_ENDED)
    return;
  if (asked != NULL && asked->of == packet->thread)
    closed.record = *asked;
  closed.record.ended = ended;
  g_array_append_val (accounts->closed, closed);
  g_hash_table_remove (accounts->asked, GUINT_TO_POINTER (packet->process));
}

/* --- Files ------------------------------------------------------------------------------------------------- */

/* An address space that has named nothing has no file yet. */
static gboolean
accounts_begin_file (int file, const Closed *closed)
{
  struct lc_objects_header header = {
      .version = LC_OBJECTS_VERSION, .instance = closed->instance, .pid = closed->pid, .parent = LC_NO_PROCESS};

  memcpy (header.magic, "LCOBJECT", sizeof header.magic);
  return lc_adding_write (file, 0, 0, &header, sizeof header, NULL, 0);
}

static gboolean
accounts_add (const LcFolder *folder, const Closed *closed)
{
  const guint64 place = sizeof (struct lc_object_record);
  g_autofree char *name = g_strdup_printf ("objects-%u", closed->instance);
  int file = lc_adding_open (folder, name);
  struct stat status;
  gboolean good;
  guint64 at;

  if (file < 0)
    return FALSE;
  good = fstat (file, &status) == 0 && (status.st_size > 0 || accounts_begin_file (file, closed)) &&
         fstat (file, &status) == 0;
  at = ((guint64)status.st_size + place - 1) / place * place;
  good = good && lc_adding_write (file, (guint64)status.st_size, at, &closed->record, sizeof closed->record, NULL, 0);
  close (file);
  return good;
}

gboolean
lc_accounts_write (LcAccounts *accounts, const LcFolder *folder)
{
  for (guint i = 0; i < accounts->closed->len; i++)
    if (!accounts_add (folder, &g_array_index (accounts->closed, Closed, i)))
      return FALSE;
  g_array_set_size (accounts->closed, 0);
  return TRUE;
}
