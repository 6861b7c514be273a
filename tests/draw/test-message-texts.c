/* SPDX-License-Identifier: Apache-2.0 */
/* What is told of messages between ranks, and of what they do together, where the pointer is. */
#include "../trace/maker.h"
#include "history/names.h"
#include "lightcone/merge.h"
#include "lightcone/scene.h"

static void
check_text (const LcScene *scene, double row, double position, const char *expected)
{
  LcPick pick;
  g_autofree char *text = NULL;

  g_assert_true (lc_scene_pick (scene, row, position, 0.1, 1, &pick));
  text = lc_scene_dup_text (scene, &pick);
  g_assert_cmpstr (text, ==, expected);
}

/* Two ranks: one sends, the other would have received from anyone; then both take part in something. */
static LcHistory *
merge_ranks (const char *directory)
{
  const LcMergeOptions options = {.again = TRUE};
  g_autoptr (GError) error = NULL;
  LcHistory *history;

  maker_write_metadata (directory);
  for (guint rank = 0; rank < 2; rank++)
    {
      g_autoptr (GByteArray) objects = maker_objects (rank);
      g_autoptr (Maker) maker = maker_new (rank);
      g_autofree char *name = g_strdup_printf ("objects-%u", rank);
      guint32 channel = maker_mpi_object (objects, LC_CLASS_CHANNEL, "0>1:7@world.1", LC_CHANNEL_ENDS (0, 1));
      guint32 world = maker_mpi_object (objects, LC_CLASS_COLLECTIVE, "world", 2);

      maker_rank (objects, rank, 2, MAKER_START);
      maker->instance = rank;
      maker_header (maker)->instance = rank;
      if (rank == 0)
        maker_message (maker, LC_SEND, channel, 0, 4096, 10, 20);
      else
        maker_flagged_message (maker, LC_RECV, channel, 0, 30, 40, LC_EVENT_BLIND);
      maker_collective (maker, LC_ALL_REDUCE, world, 0, 2, 8, 60, 90);
      maker_write (directory, name, objects->data, objects->len);
      maker_finish (maker, directory);
    }
  history = lc_merge_open (directory, &options, &error);
  g_assert_no_error (error);
  return history;
}

static void
test_messages (void)
{
  char *directory = maker_directory ();
  g_autoptr (LcHistory) history = merge_ranks (directory);
  g_autoptr (LcScene) scene = NULL;
  g_autoptr (GError) error = NULL;
  LcSceneQuery query;

  lc_scene_query_init (&query);
  query.to = 100;
  scene = lc_scene_new (history, &query, NULL, &error);
  g_assert_no_error (error);
  check_text (scene, 0.5, 15,
              "send to rank 1 program, tag 7 in world.1, number 0, 4.00 KiB\nrank 0 program, event 0, layer 1\n"
              "10 ns to 20 ns (10 ns)");
  check_text (scene, 1.5, 35,
              "recv from rank 0 program, tag 7 in world.1, number 0, 64 bytes, would take from anyone\n"
              "rank 1 program, event 0, layer 1\n30 ns to 40 ns (10 ns)");
  check_text (scene, 1.0, 25,
              "message of 4.00 KiB, 30 ns\n"
              "from the begin of send to rank 1 program, tag 7 in world.1, number 0 (rank 0 program, event 0)\n"
              "to the end of recv from rank 0 program, tag 7 in world.1, number 0 (rank 1 program, event 0)");
  check_text (scene, 0.5, 75,
              "all-reduce of collective world, number 0, 2 members, 8 bytes\nrank 0 program, event 1, layer 2\n"
              "60 ns to 90 ns (30 ns)");
  lc_history_free (g_steal_pointer (&history));
  g_clear_pointer (&scene, lc_scene_free);
  maker_remove (directory);
}

static void
test_short_names (void)
{
  static const struct
  {
    const char *name;
    const char *class_name;
    const char *rest;
    const char *brief;
  } cases[] = {
      {"queue_a.m", "mutex", "queue_a.m", "queue_a.m"},
      {"condition 2", "condition", "2", "condition 2"},
      {"mutex at pigz+0x11000 34", "mutex", "at pigz+0x11000 34", "mutex 34"},
      {"mutex at pigz+0x11000", "mutex", "at pigz+0x11000", "mutex"},
      {"mutex of take queue.c:12 3", "mutex", "of take queue.c:12 3", "mutex of take 3"},
      {"mutex of take", "mutex", "of take", "mutex of take"},
      {"mutexes", "mutex", "mutexes", "mutexes"},
      {"/var/lib/things/file.db", "file", "/var/lib/things/file.db", "file.db"},
      {"deep/Pool::tokens", "semaphore", "deep/Pool::tokens", "tokens"},
      {"Pool::", "semaphore", "Pool::", "Pool::"},
      {"folder/", "file", "folder/", "folder/"},
      {"map<a::b>", "mutex", "map<a::b>", "map<a::b>"},
      {"output of worker 1", "advance", "output of worker 1", "output of worker 1"},
      {"", "mutex", "", ""},
      {"x", NULL, "x", "x"},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *brief = lc_names_dup_short (cases[i].name, cases[i].class_name);

      g_assert_cmpstr (lc_names_skip_class (cases[i].name, cases[i].class_name), ==, cases[i].rest);
      g_assert_cmpstr (brief, ==, cases[i].brief);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/message-texts/short names", test_short_names);
  g_test_add_func ("/message-texts/all", test_messages);
  return g_test_run ();
}
