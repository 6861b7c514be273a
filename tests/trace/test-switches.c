/* SPDX-License-Identifier: Apache-2.0 */
/* Times off the processor in binary traces: whose they are, and what is made of files that are not whole. */
#include <string.h>

#include "maker.h"
#include "switch-files.h"

#define FILE_NAME "switches-0"

/* --- Files ------------------------------------------------------------------------------------------------------ */

static GByteArray *
switches_file (guint64 end, guint32 refused)
{
  GByteArray *bytes = g_byte_array_new ();
  struct lc_switches_header header = {.version = LC_SWITCHES_VERSION,
                                      .program = 40,
                                      .begin = MAKER_START,
                                      .end = end > 0 ? MAKER_START + end : 0,
                                      .refused = refused};

  memcpy (header.magic, "LCSWITCH", sizeof header.magic);
  memcpy (header.uuid, maker_uuid, sizeof header.uuid);
  return g_byte_array_append (bytes, (const guint8 *)&header, sizeof header);
}

/* `text` has "BEGIN-END" for each absence that was blocked, "BEGIN+END" for one that was ready, in ns of the trace. */
static void
add_pack (GByteArray *bytes, guint32 thread, const char *text)
{
  g_auto (GStrv) words = g_strsplit (text, " ", -1);
  const guint count = g_strv_length (words);
  struct lc_switch_pack pack = {.magic = LC_SWITCH_PACK_MAGIC, .count = count, .pid = 40, .thread = thread};
  g_autofree struct lc_absence_record *records = g_new0 (struct lc_absence_record, count);

  for (guint i = 0; i < count; i++)
    {
      char *rest;
      guint64 begin = g_ascii_strtoull (words[i], &rest, 10), end = g_ascii_strtoull (rest + 1, NULL, 10);

      records[i].begin = MAKER_START + begin;
      records[i].length = (end - begin) | (*rest == '+' ? LC_ABSENCE_READY : 0);
      pack.end = MAKER_START + end;
    }
  pack.begin = records[0].begin;
  g_byte_array_append (bytes, (const guint8 *)&pack, sizeof pack);
  g_byte_array_append (bytes, (const guint8 *)records, count * sizeof *records);
}

static void
add_lost (GByteArray *bytes, guint64 lost)
{
  const struct lc_switch_pack pack = {.magic = LC_SWITCH_PACK_MAGIC, .lost = lost};

  g_byte_array_append (bytes, (const guint8 *)&pack, sizeof pack);
}

static void
write_file (const char *directory, const char *name, const GByteArray *bytes)
{
  maker_write (directory, name, bytes->data, bytes->len);
}

/* A process from `begin` to `end`, of the system's thread of this number. */
static void
add_process (const char *directory, guint32 number, guint32 thread, guint64 begin, guint64 end)
{
  g_autoptr (Maker) maker = maker_new (number);

  maker_header (maker)->thread = thread;
  maker_header (maker)->timestamp_begin = MAKER_START + begin;
  maker_sync (maker, LC_LOCK, 2, 1, 0, begin, end, 0);
  maker_header (maker)->state = LC_STATE_ENDED;
  maker_finish (maker, directory);
}

static LcTrace *
open_trace (const char *directory)
{
  g_autoptr (GError) error = NULL;
  LcTrace *trace = lc_trace_open (directory, &error);

  g_assert_no_error (error);
  return trace;
}

/* As add_pack takes them; NULL: switches of this process were not recorded. */
static char *
list_absences (LcTrace *trace, guint32 process, gsize room)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LcAbsences) absences = lc_trace_open_absences (trace, process, &error);
  g_autofree LcAbsence *next = g_new (LcAbsence, room);
  GString *text;
  gssize n;

  g_assert_no_error (error);
  if (absences == NULL)
    return NULL;
  text = g_string_new (NULL);
  while ((n = lc_absences_next (absences, next, (gssize)room, &error)) > 0)
    for (gssize i = 0; i < n; i++)
      g_string_append_printf (text, "%s%" G_GINT64_FORMAT "%c%" G_GINT64_FORMAT, text->len > 0 ? " " : "",
                              next[i].begin, next[i].kind == LC_ABSENCE_PREEMPTED ? '+' : '-', next[i].end);
  g_assert_no_error (error);
  return g_string_free (text, FALSE);
}

static void
assert_absences (LcTrace *trace, guint32 process, const char *expected)
{
  for (gsize room = 1; room < 200; room += 99)
    {
      g_autofree char *found = list_absences (trace, process, room);

      g_assert_cmpstr (found, ==, expected);
    }
}

static void
assert_problem (LcTrace *trace, const char *name, guint64 where, guint64 count)
{
  g_autoptr (GArray) problems = lc_trace_list_problems (trace);
  const LcTraceProblem *problem = maker_problem (problems, name, FILE_NAME);

  g_assert_cmpuint (problem != NULL ? problem->count : 0, ==, count);
  if (problem != NULL)
    g_assert_cmpuint (problem->where, ==, where);
}

/* --- Tests ------------------------------------------------------------------------------------------------------ */

static void
test_threads (void)
{
  char *directory = maker_directory ();
  g_autoptr (GByteArray) first = switches_file (900, 0), second = switches_file (900, 0);
  g_autoptr (LcTrace) trace = NULL;

  maker_write_metadata (directory);
  add_process (directory, 0, 40, 0, 900);
  add_process (directory, 1, 41, 10, 900);
  add_process (directory, 2, 42, 10, 900);
  add_pack (first, 41, "20-30 40+50");
  add_pack (first, 40, "100-200");
  add_pack (first, 41, "60-70");
  add_pack (second, 41, "80+90");
  add_pack (second, 77, "1-899");
  write_file (directory, "switches-0", first);
  write_file (directory, "switches-10", second);
  trace = open_trace (directory);
  assert_absences (trace, 0, "100-200");
  assert_absences (trace, 1, "20-30 40+50 60-70 80+90");
  assert_absences (trace, 2, "");
  assert_problem (trace, "switches-open", 0, 0);
  maker_remove (directory);
}

/* The system gives the numbers of threads that have ended to others, recorded or not. */
static void
test_numbers_again (void)
{
  char *directory = maker_directory ();
  g_autoptr (GByteArray) file = switches_file (900, 0);
  g_autoptr (LcTrace) trace = NULL;

  maker_write_metadata (directory);
  add_process (directory, 0, 40, 100, 200);
  add_process (directory, 1, 40, 300, 400);
  add_pack (file, 40, "10-20 110-120 190+210 250-260 310-320 410-420");
  write_file (directory, FILE_NAME, file);
  trace = open_trace (directory);
  assert_absences (trace, 0, "10-20 90+100");
  assert_absences (trace, 1, "210-220");
  assert_problem (trace, "bad-absence", 0, 0);
  maker_remove (directory);
}

static void
test_not_recorded (void)
{
  char *directory = maker_directory ();
  g_autoptr (GByteArray) refused = switches_file (900, 13), told = switches_file (900, 0);

  maker_write_metadata (directory);
  add_process (directory, 0, 40, 0, 900);
  add_process (directory, 1, 41, 0, 900);
  {
    g_autoptr (LcTrace) trace = open_trace (directory);

    assert_absences (trace, 0, NULL);
  }
  /* Of two programs, one was refused: it is not known which of them a process without absences belongs to. */
  add_pack (told, 41, "20-30");
  write_file (directory, "switches-0", refused);
  write_file (directory, "switches-1", told);
  {
    g_autoptr (LcTrace) trace = open_trace (directory);

    assert_absences (trace, 0, NULL);
    assert_absences (trace, 1, "20-30");
  }
  maker_remove (directory);
}

static void
test_losses (void)
{
  char *directory = maker_directory ();
  g_autoptr (GByteArray) file = switches_file (0, 0);
  g_autoptr (LcFolder) folder = NULL;
  LcSwitchSums sums;

  maker_write_metadata (directory);
  add_process (directory, 0, 40, 0, 900);
  add_lost (file, 7);
  add_pack (file, 40, "20-30 40-50");
  add_lost (file, 5);
  write_file (directory, FILE_NAME, file);
  folder = lc_folder_open (directory, NULL);
  lc_switch_files_sum (folder, &sums);
  g_assert_cmpuint (sums.recorded, ==, 2);
  g_assert_cmpuint (sums.lost, ==, 12);
  {
    g_autoptr (LcTrace) trace = open_trace (directory);
    g_autoptr (GArray) problems = lc_trace_list_problems (trace);

    assert_absences (trace, 0, "20-30 40-50");
    assert_problem (trace, "switches-lost", 0, 1);
    g_assert_cmpstr (maker_problem (problems, "switches-lost", NULL)->detail, ==, "12 of them");
    assert_problem (trace, "switches-open", 0, 1);
  }
  lc_switch_files_end (folder, MAKER_START + 900);
  {
    g_autoptr (LcTrace) trace = open_trace (directory);

    assert_problem (trace, "switches-open", 0, 0);
  }
  maker_remove (directory);
}

static void
test_damage (void)
{
  char *directory = maker_directory ();
  g_autoptr (GByteArray) file = switches_file (900, 0);
  struct lc_absence_record *records = NULL;
  guint whole;

  maker_write_metadata (directory);
  add_process (directory, 0, 40, 0, 900);
  add_pack (file, 40, "20-30 40-50 25-60 70-80");
  whole = file->len;
  add_pack (file, 40, "100-110 120-130");
  /* The file ends within the second pack, anywhere. */
  for (guint size = whole + 1; size < file->len; size++)
    {
      g_autoptr (LcTrace) trace = NULL;

      maker_write (directory, FILE_NAME, file->data, size);
      trace = open_trace (directory);
      assert_problem (trace, "bad-switches", whole, 1);
      assert_absences (trace, 0, "20-30 40-50 70-80");
      assert_problem (trace, "bad-absence",
                      sizeof (struct lc_switches_header) + sizeof (struct lc_switch_pack) + 2 * sizeof *records, 1);
    }
  /* An absence without an end. */
  records = (struct lc_absence_record *)(void *)(file->data + file->len - 2 * sizeof *records);
  records[1].length = G_MAXUINT64;
  {
    g_autoptr (LcTrace) trace = NULL;

    write_file (directory, FILE_NAME, file);
    trace = open_trace (directory);
    assert_absences (trace, 0, "20-30 40-50 70-80 100-110 120+900");
    records[1].begin = G_MAXUINT64 - 3;
    write_file (directory, FILE_NAME, file);
    assert_absences (trace, 0, "20-30 40-50 70-80 100-110");
  }
  maker_remove (directory);
}

static void
test_strangers (void)
{
  char *directory = maker_directory ();
  g_autoptr (GByteArray) file = switches_file (900, 0);

  maker_write_metadata (directory);
  add_process (directory, 0, 40, 0, 900);
  add_pack (file, 40, "20-30");
  for (guint place = 0; place < 32; place += 8)
    {
      g_autoptr (LcTrace) trace = NULL;

      if (place == 16) /* after the version */
        continue;
      file->data[place] ^= 1;
      write_file (directory, FILE_NAME, file);
      trace = open_trace (directory);
      assert_problem (trace, "switches-damaged", place < 16 ? 0 : 16, 1);
      assert_absences (trace, 0, NULL);
      file->data[place] ^= 1;
    }
  maker_remove (directory);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/switches/threads", test_threads);
  g_test_add_func ("/switches/numbers-again", test_numbers_again);
  g_test_add_func ("/switches/not-recorded", test_not_recorded);
  g_test_add_func ("/switches/losses", test_losses);
  g_test_add_func ("/switches/damage", test_damage);
  g_test_add_func ("/switches/strangers", test_strangers);
  return g_test_run ();
}
