/* SPDX-License-Identifier: Apache-2.0 */
/* Deciding again who reads and who writes: small cases by hand, and programs at random. */
#include <string.h>

#include "redecide-case.h"

static const Wish plainly = {LC_MODEL_LIBERAL, LC_BLIND_PRESERVE, 0, 0, 0};
static const Wish without_tags = {LC_MODEL_LIBERAL, LC_BLIND_PRESERVE, 100, 0, 0};
static const Wish with_barging = {LC_MODEL_LIBERAL, LC_BLIND_PRESERVE, 0, 0, 50};
static const Wish barging_without_tags = {LC_MODEL_LIBERAL, LC_BLIND_PRESERVE, 100, 0, 50};

static void
expect_times (const Redecided *result)
{
  for (guint i = 0; i < result->n_processes; i++)
    for (guint k = 0; k < result->seen[i]->len; k++)
      {
        const Seen *seen = redecided_get (result, i, k);

        g_assert_cmpuint (seen->begin, ==, seen->measured_begin);
        g_assert_cmpuint (seen->end, ==, seen->measured_end);
      }
}

/* --- By hand ----------------------------------------------------------------------------------------------------- */

/* Process 0 came last because of its tag; without it, it writes before the others read. */
static void
test_order_flips (void)
{
  const char *const files[] = {"0", "0 0 tag value=1\n150 160 write-start T 1 value=2\n170 175 write-end T 1\n",
                               "1", "100 110 read-start T 0\n120 125 read-end T 0\n",
                               "2", "130 135 read-start T 0\n140 145 read-end T 0\n",
                               NULL};
  g_autoptr (Case) trial = case_new (files, NULL);
  g_autoptr (Redecided) result = redecided_new (trial, NULL, &without_tags);
  const LcDecided decided = redecided_find (result, trial, "T", FALSE);

  redecided_expect (trial, result, 0, 1, "0:1 write-start T 1 50-60");
  redecided_expect (trial, result, 0, 2, "0:2 write-end T 1 70-75");
  redecided_expect (trial, result, 1, 0, "1:0 read-start T 1 100-110");
  redecided_expect (trial, result, 1, 1, "1:1 read-end T 1 120-125");
  redecided_expect (trial, result, 2, 0, "2:0 read-start T 1 130-135");
  g_assert_cmpuint (redecided_get (result, 0, 1)->arcs->len, ==, 0);
  g_assert_cmpuint (redecided_get (result, 1, 0)->arcs->len, ==, 1);
  g_assert_true (redecided_get (result, 0, 1)->decided);
  g_assert_true (redecided_get (result, 1, 0)->decided);
  g_assert_false (decided.kept);
  g_assert_cmpuint (decided.decisions, ==, 3);
  g_assert_cmpuint (decided.changed, ==, 2);
  g_assert_cmpuint (result->n_sweeps, ==, 1);
}

/* The writer waits for two readers when only one was before it, and goes on after the later one of them. */
static void
test_more_readers (void)
{
  const char *const files[] = {"0", "0 0 tag value=1\n140 150 read-start T 1\n240 245 read-end T 1\n",
                               "1", "10 15 read-start T 0\n60 65 read-end T 0\n",
                               "2", "50 75 write-start T 1\n100 105 write-end T 1\n",
                               NULL};
  g_autoptr (Case) trial = case_new (files, NULL);
  g_autoptr (Redecided) result = redecided_new (trial, NULL, &without_tags);

  redecided_expect (trial, result, 0, 1, "0:1 read-start T 0 40-50");
  redecided_expect (trial, result, 0, 2, "0:2 read-end T 0 140-145");
  redecided_expect (trial, result, 2, 0, "2:0 write-start T 1 50-155");
  g_assert_cmpuint (redecided_get (result, 2, 0)->arcs->len, ==, 2);
  g_assert_true (redecided_get (result, 2, 0)->decided);
}

/* In the order of arrival, who reads waits behind who waits to write: as measured here. */
static void
test_in_order (void)
{
  const char *const files[] = {
      "0", "0 0 read-start T 0\n100 100 read-end T 0\n",    "1", "20 100 write-start T 1\n110 110 write-end T 1\n",
      "2", "40 110 read-start T 1\n120 120 read-end T 1\n", NULL};
  g_autoptr (Case) trial = case_new (files, NULL);
  g_autoptr (Redecided) result = redecided_new (trial, NULL, &plainly);

  expect_times (result);
  g_assert_cmpuint (redecided_find (result, trial, "T", FALSE).changed, ==, 0);
}

/* Process 2 reads beside process 0, though process 1 waits to write. That wakes up 50 after the last of them. Process 3
 * comes while it writes, and is let in by it: process 4, which comes before process 3 is awake, cannot write first. */
static void
test_readers_first (void)
{
  const char *const files[] = {
      "0", "0 0 read-start T 0\n100 100 read-end T 0\n",       "1", "20 100 write-start T 1\n110 110 write-end T 1\n",
      "2", "40 110 read-start T 1\n120 120 read-end T 1\n",    "3", "155 155 read-start T 1\n170 170 read-end T 1\n",
      "4", "165 170 write-start T 2\n180 180 write-end T 2\n", NULL};
  g_autoptr (Case) trial = case_new (files, NULL);
  g_autoptr (Redecided) result = redecided_new (trial, NULL, &with_barging);

  redecided_expect (trial, result, 2, 0, "2:0 read-start T 0 40-40");
  redecided_expect (trial, result, 2, 1, "2:1 read-end T 0 50-50");
  redecided_expect (trial, result, 1, 0, "1:0 write-start T 1 20-150");
  redecided_expect (trial, result, 1, 1, "1:1 write-end T 1 160-160");
  redecided_expect (trial, result, 3, 0, "3:0 read-start T 1 155-210");
  redecided_expect (trial, result, 3, 1, "3:1 read-end T 1 225-225");
  redecided_expect (trial, result, 4, 0, "4:0 write-start T 2 165-275");
  g_assert_cmpuint (redecided_get (result, 1, 0)->arcs->len, ==, 2);
}

/* A crew that a process reads twice at once, one whose versions have a gap, one with a version that nobody wrote, and
 * one that is held while something else is waited for. */
static void
test_odd_crews (void)
{
  const char *const files[] = {
      "0",
      "0 1 read-start A 0\n2 3 read-start A 0\n4 5 read-end A 0\n6 7 read-end A 0\n"
      "8 9 write-start B 1\n10 11 write-end B 1\n12 13 read-start C 5\n14 15 read-end C 5\n"
      "16 17 read-start D 0\n18 30 await X 0\n31 32 read-end D 0\n33 34 write-start E 1\n35 36 write-end E 1\n",
      "1",
      "20 21 write-start A 1\n22 23 write-end A 1\n24 25 write-start B 3\n26 27 write-end B 3\n"
      "27 28 advance X 0\n30 31 write-start C 1\n32 33 write-end C 1\n40 41 read-start E 1\n42 43 read-end E 1\n",
      NULL};
  g_autoptr (Case) trial = case_new (files, NULL);
  g_autoptr (Redecided) result = redecided_new (trial, NULL, &plainly);

  g_assert_true (redecided_find (result, trial, "A", FALSE).kept);
  g_assert_true (redecided_find (result, trial, "B", FALSE).kept);
  g_assert_true (redecided_find (result, trial, "C", FALSE).kept);
  g_assert_true (redecided_find (result, trial, "D", FALSE).kept);
  g_assert_false (redecided_find (result, trial, "E", FALSE).kept);
  expect_times (result);
}

/* A mutex inside a crew: both are decided, as one is always taken inside the other. */
static void
test_nested (void)
{
  const char *const files[] = {"0",
                               "0 0 tag value=1\n110 120 read-start T 1\n130 140 lock M 2\n150 160 unlock M 2\n170 175 "
                               "read-end T 1\n",
                               "1", "60 70 write-start T 1\n72 74 lock M 1\n75 80 unlock M 1\n90 95 write-end T 1\n",
                               NULL};
  g_autoptr (Case) trial = case_new (files, NULL);
  g_autoptr (Redecided) result = redecided_new (trial, NULL, &without_tags);

  g_assert_false (redecided_find (result, trial, "T", FALSE).kept);
  g_assert_false (redecided_find (result, trial, "M", FALSE).kept);
  redecided_expect (trial, result, 0, 1, "0:1 read-start T 0 10-20");
  redecided_expect (trial, result, 0, 2, "0:2 lock M 1 30-40");
  redecided_expect (trial, result, 1, 0, "1:0 write-start T 1 60-85");
  redecided_expect (trial, result, 1, 1, "1:1 lock M 2 87-89");
}

/* --- At random --------------------------------------------------------------------------------------------------- */

enum
{
  CREWS = 3,
  MOST = 5, /* processes */
  COST = 3, /* of beginning to read or write */
};

/* A crew of a program while it is made. */
typedef struct
{
  guint version, readers;
  gboolean writing;
  guint64 written, read; /* when the last one ended */
} Table;

typedef enum
{
  IDLE,
  READS,
  WRITES,
} State;

typedef struct
{
  GRand *rand;
  guint n_processes;
  GString *text[MOST];
  guint64 clock[MOST];
  State state[MOST];
  guint at[MOST]; /* the crew that it reads or writes */
  Table tables[CREWS];
} Program;

static void
add (Program *program, guint process, guint64 release, const char *what, guint table, guint version)
{
  const guint64 start = program->clock[process] + (guint64)g_rand_int_range (program->rand, 0, 40);
  const guint64 stop = MAX (start, release) + COST;

  g_string_append_printf (program->text[process], "%" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %s T%u %u\n", start,
                          stop, what, table, version);
  program->clock[process] = stop;
}

static void
begin_section (Program *program, guint process)
{
  const guint number = (guint)g_rand_int_range (program->rand, 0, CREWS);
  const gboolean writes = g_rand_int_range (program->rand, 0, 3) == 0;
  Table *table = &program->tables[number];

  if (table->writing || (writes && table->readers > 0))
    return;
  if (writes)
    add (program, process, MAX (table->written, table->read), "write-start", number, ++table->version);
  else
    add (program, process, table->written, "read-start", number, table->version);
  table->writing = writes;
  table->readers += !writes;
  program->state[process] = writes ? WRITES : READS;
  program->at[process] = number;
}

static void
end_section (Program *program, guint process)
{
  const guint number = program->at[process];
  const gboolean writes = program->state[process] == WRITES;
  Table *table = &program->tables[number];

  add (program, process, 0, writes ? "write-end" : "read-end", number, table->version);
  if (writes)
    table->written = program->clock[process];
  else
    table->read = MAX (table->read, program->clock[process]);
  table->writing = FALSE;
  table->readers -= !writes;
  program->state[process] = IDLE;
}

static void
add_step (Program *program)
{
  const guint process = (guint)g_rand_int_range (program->rand, 0, (gint32)program->n_processes);

  if (g_rand_int_range (program->rand, 0, 3) == 0)
    {
      g_string_append_printf (program->text[process], "%" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " tag value=1\n",
                              program->clock[process], program->clock[process]);
      program->clock[process] += (guint64)g_rand_int_range (program->rand, 0, 200);
    }
  else if (program->state[process] == IDLE)
    begin_section (program, process);
  else
    end_section (program, process);
}

static Case *
make_program (guint32 seed)
{
  Program program = {.rand = g_rand_new_with_seed (seed), .n_processes = 2 + seed % (MOST - 1)};
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < program.n_processes; i++)
    program.text[i] = g_string_new (NULL);
  for (guint i = 0; i < 20 + seed % 150; i++)
    add_step (&program);
  for (guint i = 0; i < program.n_processes; i++)
    {
      if (program.state[i] != IDLE)
        end_section (&program, i);
      g_ptr_array_add (files, g_strdup_printf ("%u", i));
      g_ptr_array_add (files, g_string_free (program.text[i], FALSE));
    }
  g_ptr_array_add (files, NULL);
  g_rand_free (program.rand);
  return case_new ((const char *const *)files->pdata, NULL);
}

/* All that was seen of a version of a crew. */
typedef struct
{
  const Seen *write_start, *write_end;
  guint64 last_read; /* end of the last read-end */
  guint reads;
  guint ended; /* read-ends */
} Version;

static Version *
version_of (GHashTable *versions, const Seen *seen, gint64 step)
{
  g_autofree char *name = g_strdup_printf ("%u:%" G_GINT64_FORMAT, seen->object, seen->sequence + step);
  Version *version = g_hash_table_lookup (versions, name);

  if (version == NULL)
    {
      version = g_new0 (Version, 1);
      g_hash_table_insert (versions, g_steal_pointer (&name), version);
    }
  return version;
}

static void
note_seen (GHashTable *versions, const Seen *seen)
{
  Version *version = seen->operation == LC_TAG ? NULL : version_of (versions, seen, 0);

  if (seen->operation == LC_READ_START)
    version->reads++;
  else if (seen->operation == LC_READ_END)
    {
      version->ended++;
      version->last_read = MAX (version->last_read, seen->end);
    }
  else if (seen->operation == LC_WRITE_START)
    {
      g_assert_null (version->write_start);
      version->write_start = seen;
    }
  else if (seen->operation == LC_WRITE_END)
    {
      g_assert_null (version->write_end);
      version->write_end = seen;
    }
}

static GHashTable *
note_versions (const Redecided *result)
{
  GHashTable *versions = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  for (guint i = 0; i < result->n_processes; i++)
    for (guint k = 0; k < result->seen[i]->len; k++)
      note_seen (versions, redecided_get (result, i, k));
  return versions;
}

/* A read comes after the write of its version, and if it had to wait then for that alone; where crews are handed over
 * in the order of arrival, it came after it, too. */
static void
check_read (GHashTable *versions, const Seen *seen, const Wish *wish)
{
  const Version *version = version_of (versions, seen, 0);

  g_assert_cmpuint (seen->arcs->len, ==, version->write_end != NULL);
  if (version->write_end == NULL)
    g_assert_cmpuint (seen->end, ==, seen->begin + COST);
  else if (seen->end > seen->begin + COST)
    {
      const Seen *given = version->write_end;
      const guint64 awake = given->end + COST, woken = awake + wish->wakes;

      g_assert_true (seen->end == (seen->begin < given->begin ? woken : awake) ||
                     (seen->end == woken && seen->begin == given->begin));
    }
  if (version->write_end != NULL)
    g_assert_cmpuint (seen->end, >=, version->write_end->end + COST);
  if (version->write_start != NULL && wish->wakes == 0)
    g_assert_cmpuint (seen->begin, >=, version->write_start->begin);
}

/* A write comes after all reads of the version before and after its write. */
static void
check_write (GHashTable *versions, const Seen *seen)
{
  const Version *before = version_of (versions, seen, -1);

  g_assert_cmpuint (seen->arcs->len, ==, before->reads + (before->write_end != NULL));
  g_assert_cmpuint (before->reads, ==, before->ended);
  g_assert_cmpuint (seen->end, >=, before->last_read);
  if (before->write_end != NULL)
    g_assert_cmpuint (seen->end, >=, before->write_end->end);
  if (seen->sequence > 1)
    g_assert_nonnull (before->write_end);
}

static guint64
check_program (const Case *trial, const Redecided *result, const Wish *wish)
{
  g_autoptr (GHashTable) versions = note_versions (result);
  guint64 changed = 0;

  g_assert_cmpuint (result->n_sweeps, ==, 1);
  for (guint i = 0; i < result->n_processes; i++)
    {
      g_assert_cmpuint (result->seen[i]->len, ==, lc_history_get_process (trial->history, i)->events);
      for (guint k = 0; k < result->seen[i]->len; k++)
        {
          const Seen *seen = redecided_get (result, i, k);

          if (seen->operation == LC_READ_START)
            check_read (versions, seen, wish);
          else if (seen->operation == LC_WRITE_START)
            check_write (versions, seen);
        }
    }
  for (guint i = 0; i < result->found.decided->len; i++)
    {
      g_assert_false (g_array_index (result->found.decided, LcDecided, i).kept);
      changed += g_array_index (result->found.decided, LcDecided, i).changed;
    }
  return changed;
}

/* What was decided, written as if it had been measured. */
static Case *
write_again (const Case *trial, const Redecided *result)
{
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < result->n_processes; i++)
    {
      g_autoptr (GString) text = g_string_new (NULL);

      for (guint k = 0; k < result->seen[i]->len; k++)
        {
          const Seen *seen = redecided_get (result, i, k);
          g_autofree char *what = redecided_dup_text (trial, seen);

          g_string_append_printf (text, "%" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %s\n", seen->begin, seen->end,
                                  seen->operation == LC_TAG ? "tag value=1" : what);
        }
      g_ptr_array_add (files, g_strdup_printf ("%u", i));
      g_ptr_array_add (files, g_string_free (g_steal_pointer (&text), FALSE));
    }
  g_ptr_array_add (files, NULL);
  return case_new ((const char *const *)files->pdata, NULL);
}

static void
test_random (void)
{
  const guint32 n_trials = random_trials (300);
  guint64 changed = 0, barged = 0;

  for (guint32 seed = 1; seed <= n_trials; seed++)
    {
      g_autoptr (Case) trial = make_program (seed);
      g_autoptr (Redecided) result = redecided_new (trial, NULL, &without_tags);
      g_autoptr (Redecided) woken = redecided_new (trial, NULL, &barging_without_tags);

      changed += check_program (trial, result, &without_tags);
      barged += check_program (trial, woken, &barging_without_tags);
      if (seed % 4 == 0)
        {
          g_autoptr (Case) again = write_again (trial, result);
          g_autoptr (Redecided) same = redecided_new (again, NULL, &plainly);

          expect_times (same);
        }
    }
  g_assert_cmpuint (changed, >, n_trials / 8);
  g_assert_cmpuint (barged, >, n_trials / 8);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/crews/order-flips", test_order_flips);
  g_test_add_func ("/crews/more-readers", test_more_readers);
  g_test_add_func ("/crews/in-order", test_in_order);
  g_test_add_func ("/crews/readers-first", test_readers_first);
  g_test_add_func ("/crews/odd", test_odd_crews);
  g_test_add_func ("/crews/nested", test_nested);
  g_test_add_func ("/crews/random", test_random);
  return g_test_run ();
}
