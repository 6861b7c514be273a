/* SPDX-License-Identifier: Apache-2.0 */
/* What the groups of a rules file say, and what is said of those that do not fit. */
#include <glib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "lightcone/rules.h"

#define TICKET \
  "[class ticket]\nsummary=Numbers\n" \
  "[operation give]\nclass=ticket\nsummary=Gives a number\n" \
  "[operation take]\nclass=ticket\nsummary=Takes a number\nwaits=true\n"

/* The built-in rules and `text`; NULL when it was refused. */
static LcRules *
load (const char *text, GError **error)
{
  g_autoptr (LcRules) rules = lc_rules_new ();
  g_autofree char *directory = g_dir_make_tmp ("lightcone-rules-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (directory, "own.rules", NULL);
  gboolean good;

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  good = lc_rules_load (rules, path, error) && lc_rules_check (rules, error);
  g_unlink (path);
  g_rmdir (directory);
  return good ? g_steal_pointer (&rules) : NULL;
}

static void
check_refused (const char *text, LcRulesError code, const char *message)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LcRules) rules = load (text, &error);

  g_assert_null (rules);
  g_assert_error (error, LC_RULES_ERROR, (int)code);
  g_assert_nonnull (strstr (error->message, "own.rules"));
  if (strstr (error->message, message) == NULL)
    g_error ("'%s' does not say '%s'", error->message, message);
}

static void
check_timing (const LcRules *rules, const char *operation, LcTiming timing)
{
  const LcOperationRule *rule = lc_rules_get_operation (rules, operation);

  g_assert_nonnull (rule);
  if (rule->timing != timing)
    g_error ("%s has timing %d, not %d", operation, rule->timing, timing);
}

static void
test_timing_built_in (void)
{
  g_autoptr (LcRules) rules = lc_rules_new ();

  check_timing (rules, "tag", LC_TIMING_LOCAL);
  check_timing (rules, "unlock", LC_TIMING_LOCAL);
  check_timing (rules, "send", LC_TIMING_LOCAL);
  check_timing (rules, "lock", LC_TIMING_RELEASE);
  check_timing (rules, "join", LC_TIMING_RELEASE);
  check_timing (rules, "start", LC_TIMING_START);
  check_timing (rules, "barrier", LC_TIMING_BARRIER);
  check_timing (rules, "recv", LC_TIMING_MESSAGE);
  check_timing (rules, "ssend", LC_TIMING_RENDEZVOUS);
  check_timing (rules, "isend", LC_TIMING_LOCAL);
  check_timing (rules, "irecv", LC_TIMING_LOCAL);
  check_timing (rules, "complete", LC_TIMING_COMPLETE);
  check_timing (rules, "test-failed", LC_TIMING_POLL);
  check_timing (rules, "probe", LC_TIMING_PROBE);
  check_timing (rules, "put", LC_TIMING_LOCAL);
  check_timing (rules, "fence", LC_TIMING_TOGETHER);
  check_timing (rules, "ibarrier", LC_TIMING_LOCAL);
  check_timing (rules, "finish-local", LC_TIMING_COMPLETE);
  check_timing (rules, "finish-from-root", LC_TIMING_FINISH);
  check_timing (rules, "finish-all", LC_TIMING_FINISH);
  check_timing (rules, "finish-failed", LC_TIMING_POLL);
  check_timing (rules, "broadcast-root", LC_TIMING_LOCAL);
  check_timing (rules, "broadcast-recv", LC_TIMING_TREE);
  check_timing (rules, "reduce", LC_TIMING_LOCAL);
  check_timing (rules, "reduce-root", LC_TIMING_TREE);
  check_timing (rules, "all-reduce", LC_TIMING_TOGETHER);
  check_timing (rules, "scan", LC_TIMING_TOGETHER);
}

static void
test_timing_words (void)
{
  static const struct
  {
    const char *word;
    LcTiming timing;
  } words[] = {{"local", LC_TIMING_LOCAL},       {"release", LC_TIMING_RELEASE},
               {"start", LC_TIMING_START},       {"barrier", LC_TIMING_BARRIER},
               {"together", LC_TIMING_TOGETHER}, {"message", LC_TIMING_MESSAGE},
               {"probe", LC_TIMING_PROBE},       {"rendezvous", LC_TIMING_RENDEZVOUS},
               {"complete", LC_TIMING_COMPLETE}, {"finish", LC_TIMING_FINISH},
               {"poll", LC_TIMING_POLL},         {"tree", LC_TIMING_TREE},
               {"pause", LC_TIMING_PAUSE}};

  for (gsize i = 0; i < G_N_ELEMENTS (words); i++)
    {
      g_autofree char *text = g_strdup_printf (
          TICKET "[operation meet]\nclass=ticket\nsummary=Meets others\nwaits=true\nmembers=value\ntiming=%s\n",
          words[i].word);
      g_autoptr (GError) error = NULL;
      g_autoptr (LcRules) rules = load (text, &error);

      g_assert_no_error (error);
      check_timing (rules, "meet", words[i].timing);
      check_timing (rules, "take", LC_TIMING_RELEASE);
      check_timing (rules, "give", LC_TIMING_LOCAL);
    }
}

static void
test_timing_refused (void)
{
  check_refused (TICKET "[operation meet]\nclass=ticket\nsummary=Meets\ntiming=soon\n", LC_RULES_ERROR_VALUE,
                 "[operation meet] timing: it is 'soon', and can be one of: local, release, start, barrier, together, "
                 "message, probe, rendezvous, complete, finish, poll, tree, pause");
  check_refused (TICKET "[operation meet]\nclass=ticket\nsummary=Meets\ntiming=barrier\n", LC_RULES_ERROR_VALUE,
                 "[operation meet] timing: it is for operations with members=value");
  check_refused (TICKET "[operation meet]\nclass=ticket\nsummary=Meets\ntiming=together\n", LC_RULES_ERROR_VALUE,
                 "[operation meet] timing: it is for operations with members=value");
}

static const LcArcRule *
find_arc (const LcRules *rules, const char *name)
{
  const GPtrArray *arcs = lc_rules_get_arcs (rules);

  for (guint i = 0; i < arcs->len; i++)
    if (strcmp (((const LcArcRule *)arcs->pdata[i])->name, name) == 0)
      return arcs->pdata[i];
  return NULL;
}

static void
test_decided (void)
{
  const char *text = TICKET "[arc give to take]\nclass=ticket\nfrom=give\nto=take\ndecided=true\n"
                            "[arc take to give]\nclass=ticket\nfrom=take\nto=give\n";
  g_autoptr (GError) error = NULL;
  g_autoptr (LcRules) rules = load (text, &error);

  g_assert_no_error (error);
  g_assert_true (find_arc (rules, "give to take")->decided);
  g_assert_false (find_arc (rules, "take to give")->decided);
  g_assert_true (find_arc (rules, "unlock to lock")->decided);
  g_assert_false (find_arc (rules, "advance to await")->decided);
  check_refused (TICKET "[arc give to take]\nclass=ticket\nfrom=give\nto=take\ndecided=perhaps\n", LC_RULES_ERROR_VALUE,
                 "[arc give to take] decided: it is 'perhaps', and can be one of: false, true");
}

static void
check_uses (const char *word, gboolean by_value, gint64 number)
{
  g_autofree char *text =
      g_strdup_printf (TICKET "[arc give to take]\nclass=ticket\nfrom=give\nto=take\nuses=%s\n", word);
  g_autoptr (GError) error = NULL;
  g_autoptr (LcRules) rules = load (text, &error);

  g_assert_no_error (error);
  g_assert_cmpint (find_arc (rules, "give to take")->uses.by_value, ==, by_value);
  g_assert_cmpint (find_arc (rules, "give to take")->uses.number, ==, number);
}

static void
test_uses (void)
{
  static const char *const wrong[] = {"", "three", "value-", "value-x", "value--1", "value+1", "values"};

  check_uses ("many", FALSE, 0);
  check_uses ("one", FALSE, 1);
  check_uses ("two", FALSE, 2);
  check_uses ("value", TRUE, 0);
  check_uses ("value-1", TRUE, 1);
  check_uses ("value-12", TRUE, 12);
  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autofree char *text =
          g_strdup_printf (TICKET "[arc give to take]\nclass=ticket\nfrom=give\nto=take\nuses=%s\n", wrong[i]);
      g_autofree char *message =
          g_strdup_printf ("[arc give to take] uses: it is '%s', and can be one of: many, one, two, "
                           "value, value-1, value-2 ...",
                           wrong[i]);

      check_refused (text, LC_RULES_ERROR_VALUE, message);
    }
}

static void
test_count (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LcRules) rules = load (TICKET "[arc give to take]\nclass=ticket\nfrom=give\nto=take\ncount=value-1\n"
                                           "[arc take to give]\nclass=ticket\nfrom=take\nto=give\ncount=value\n"
                                           "[arc give to give]\nclass=ticket\nfrom=give\nto=give\n",
                                    &error);

  g_assert_no_error (error);
  g_assert_true (find_arc (rules, "give to take")->counted);
  g_assert_cmpint (find_arc (rules, "give to take")->less, ==, 1);
  g_assert_true (find_arc (rules, "take to give")->counted);
  g_assert_cmpint (find_arc (rules, "take to give")->less, ==, 0);
  g_assert_false (find_arc (rules, "give to give")->counted);
  check_refused (TICKET "[arc give to take]\nclass=ticket\nfrom=give\nto=take\ncount=two\n", LC_RULES_ERROR_VALUE,
                 "[arc give to take] count: it is 'two', and can be one of: value, value-1, value-2 ...");
}

static void
test_work (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LcRules) none = lc_rules_new ();
  g_autoptr (LcRules) rules = load (TICKET "[work rows]\nclass=ticket\noperation=take\nobject=row-*\n"
                                           "[work columns]\nclass=ticket\noperation=take\nobject=column-?\n"
                                           "[work rows]\nclass=ticket\noperation=give\nobject=row-*\n",
                                    &error);
  const GPtrArray *works;
  const LcWorkRule *work;

  g_assert_no_error (error);
  works = lc_rules_get_works (none);
  g_assert_cmpuint (works->len, ==, 1);
  work = works->pdata[0];
  g_assert_cmpstr (work->name, ==, "chunks");
  works = lc_rules_get_works (rules);
  g_assert_cmpuint (works->len, ==, 3);
  work = works->pdata[1];
  g_assert_cmpstr (work->name, ==, "columns");
  g_assert_cmpstr (work->class_name, ==, "ticket");
  g_assert_cmpstr (work->operation, ==, "take");
  g_assert_cmpstr (work->object, ==, "column-?");
  work = works->pdata[2];
  g_assert_cmpstr (work->name, ==, "rows");
  g_assert_cmpstr (work->operation, ==, "give");
}

static void
test_work_refused (void)
{
  check_refused (TICKET "[work rows]\noperation=take\nobject=*\n", LC_RULES_ERROR_KEY,
                 "[work rows] class: it is missing");
  check_refused (TICKET "[work rows]\nclass=ticket\nobject=*\n", LC_RULES_ERROR_KEY,
                 "[work rows] operation: it is missing");
  check_refused (TICKET "[work rows]\nclass=ticket\noperation=take\n", LC_RULES_ERROR_KEY,
                 "[work rows] object: it is missing");
  check_refused (TICKET "[work rows]\nclass=ticket\noperation=take\nobject=*\nsize=3\n", LC_RULES_ERROR_KEY,
                 "[work rows] size: there is no such key; there are class, operation, object");
  check_refused (TICKET "[work rows]\nclass=tickets\noperation=take\nobject=*\n", LC_RULES_ERROR_UNKNOWN,
                 "[work rows] class: there is no class 'tickets'");
  check_refused (TICKET "[work rows]\nclass=ticket\noperation=tear\nobject=*\n", LC_RULES_ERROR_UNKNOWN,
                 "[work rows] operation: there is no operation 'tear'");
  check_refused (TICKET "[work rows]\nclass=ticket\noperation=lock\nobject=*\n", LC_RULES_ERROR_VALUE,
                 "[work rows] operation: operation 'lock' is of class 'mutex', not 'ticket'");
  check_refused (TICKET "[works rows]\nclass=ticket\n", LC_RULES_ERROR_GROUP,
                 "[works rows]: a group is [class NAME], [operation NAME], [arc NAME], [work NAME] or [phase NAME]");
}

static void
test_phase (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LcRules) none = lc_rules_new ();
  g_autoptr (LcRules) rules = load (TICKET "[phase round]\nclass=ticket\nsummary=Rounds\n"
                                           "[phase turn]\nclass=ticket\nsummary=Turns\noperation=take\nobject=row-?\n"
                                           "number=count\npoint=end\n"
                                           "[phase tagged]\nclass=mark\nsummary=Tags\noperation=tag\n"
                                           "number=value\n",
                                    &error);
  const LcPhaseRule *phase;

  g_assert_no_error (error);
  g_assert_cmpuint (lc_rules_get_phases (none)->len, ==, 0);
  g_assert_cmpuint (lc_rules_get_phases (rules)->len, ==, 3);
  phase = lc_rules_get_phases (rules)->pdata[0];
  g_assert_cmpstr (phase->name, ==, "round");
  g_assert_cmpstr (phase->class_name, ==, "ticket");
  g_assert_cmpstr (phase->summary, ==, "Rounds");
  g_assert_null (phase->operation);
  g_assert_null (phase->object);
  g_assert_cmpint (phase->number, ==, LC_PHASE_SEQUENCE);
  g_assert_cmpint (phase->point, ==, LC_POINT_BEGIN);
  phase = lc_rules_get_phases (rules)->pdata[1];
  g_assert_cmpint (phase->number, ==, LC_PHASE_VALUE);
  phase = lc_rules_get_phases (rules)->pdata[2];
  g_assert_cmpstr (phase->operation, ==, "take");
  g_assert_cmpstr (phase->object, ==, "row-?");
  g_assert_cmpint (phase->number, ==, LC_PHASE_COUNT);
  g_assert_cmpint (phase->point, ==, LC_POINT_END);
}

static void
test_phase_refused (void)
{
  check_refused (TICKET "[phase round]\nsummary=Rounds\n", LC_RULES_ERROR_KEY, "[phase round] class: it is missing");
  check_refused (TICKET "[phase round]\nclass=ticket\n", LC_RULES_ERROR_KEY, "[phase round] summary: it is missing");
  check_refused (
      TICKET "[phase round]\nclass=ticket\nsummary=Rounds\nsize=3\n", LC_RULES_ERROR_KEY,
      "[phase round] size: there is no such key; there are class, summary, operation, object, number, point");
  check_refused (TICKET "[phase round]\nclass=ticket\nsummary=Rounds\n"
                        "number=bytes\n",
                 LC_RULES_ERROR_VALUE,
                 "[phase round] number: it is 'bytes', and can be one of: sequence, value, count");
  check_refused (TICKET "[phase round]\nclass=ticket\nsummary=Rounds\npoint=middle\n", LC_RULES_ERROR_VALUE,
                 "[phase round] point: it is 'middle', and can be one of: begin, end");
  check_refused (TICKET "[phase round]\nclass=tickets\nsummary=Rounds\n", LC_RULES_ERROR_UNKNOWN,
                 "[phase round] class: there is no class 'tickets'");
  check_refused (TICKET "[phase round]\nclass=ticket\nsummary=Rounds\noperation=lock\n", LC_RULES_ERROR_VALUE,
                 "[phase round] operation: operation 'lock' is of class 'mutex', not 'ticket'");
  check_refused ("[phase ]\nclass=mutex\n", LC_RULES_ERROR_GROUP, "or [phase NAME]");
}

/* --- Whatever else a group says that does not fit ----------------------------------------------------------------- */

#define A_CLASS "[class round]\nsummary=Rounds\n"
#define AN_OPERATION TICKET "[operation meet]\nclass=ticket\nsummary=Meets\n"
#define AN_ARC TICKET "[arc give to take]\nclass=ticket\nfrom=give\nto=take\n"

static void
test_class_refused (void)
{
  check_refused ("[class round]\n", LC_RULES_ERROR_KEY, "[class round] summary: it is missing");
  check_refused ("[class round]\nsummary=\n", LC_RULES_ERROR_KEY, "[class round] summary: it is missing");
  check_refused (
      A_CLASS "waits=true\n", LC_RULES_ERROR_KEY,
      "[class round] waits: there is no such key; there are summary, sequence, holding, first, given, taken");
  check_refused (A_CLASS "given=sequence\n", LC_RULES_ERROR_VALUE,
                 "[class round] given: it is 'sequence', and can be one of: value");
  check_refused (A_CLASS "taken=value\n", LC_RULES_ERROR_VALUE,
                 "[class round] taken: it is 'value', and can be one of: expected");
  check_refused (A_CLASS "first=one\n", LC_RULES_ERROR_VALUE, "[class round] first: it is not a whole number");
  check_refused (A_CLASS "first=\n", LC_RULES_ERROR_VALUE, "[class round] first: it is not a whole number");
  check_refused (A_CLASS "holding=give\n", LC_RULES_ERROR_VALUE, "[class round] holding: it needs pairs of operations");
  check_refused (A_CLASS "holding=give;take\n", LC_RULES_ERROR_UNKNOWN,
                 "[class round] holding: there is no operation 'give'");
  check_refused (A_CLASS "holding=lock;unlock\n", LC_RULES_ERROR_VALUE,
                 "[class round] holding: operation 'lock' is of class 'mutex', not 'round'");
}

static void
test_operation_refused (void)
{
  check_refused ("[operation meet]\nsummary=Meets\n", LC_RULES_ERROR_KEY, "[operation meet] class: it is missing");
  check_refused ("[operation meet]\nclass=mutex\n", LC_RULES_ERROR_KEY, "[operation meet] summary: it is missing");
  check_refused (AN_OPERATION "kind=data\n", LC_RULES_ERROR_KEY,
                 "[operation meet] kind: there is no such key; there are class, summary, waits, members, sequence, "
                 "timing, posts");
  check_refused (AN_OPERATION "waits=sometimes\n", LC_RULES_ERROR_VALUE,
                 "[operation meet] waits: it is 'sometimes', and can be one of: false, true");
  check_refused (AN_OPERATION "members=all\n", LC_RULES_ERROR_VALUE,
                 "[operation meet] members: it is 'all', and can be one of: value");
  check_refused (AN_OPERATION "posts=recv\n", LC_RULES_ERROR_VALUE,
                 "[operation meet] posts: it is 'recv', and can be one of: send, receive");
  check_refused ("[operation meet]\nclass=tickets\nsummary=Meets\n", LC_RULES_ERROR_UNKNOWN,
                 "[operation meet] class: there is no class 'tickets'");
}

static void
test_arc_refused (void)
{
  check_refused ("[arc a]\nfrom=lock\nto=unlock\n", LC_RULES_ERROR_KEY, "[arc a] class: it is missing");
  check_refused ("[arc a]\nclass=mutex\nto=unlock\n", LC_RULES_ERROR_KEY, "[arc a] from: it is missing");
  check_refused ("[arc a]\nclass=mutex\nfrom=lock\n", LC_RULES_ERROR_KEY, "[arc a] to: it is missing");
  check_refused (AN_ARC "waits=true\n", LC_RULES_ERROR_KEY,
                 "[arc give to take] waits: there is no such key; there are class, from, to, from-point, sequence");
  check_refused (AN_ARC "from-point=middle\n", LC_RULES_ERROR_VALUE,
                 "[arc give to take] from-point: it is 'middle', and can be one of: end, begin");
  check_refused (AN_ARC "sequence=after\n", LC_RULES_ERROR_VALUE,
                 "[arc give to take] sequence: it is 'after', and can be one of: same, next, previous");
  check_refused (AN_ARC "kind=token\n", LC_RULES_ERROR_VALUE,
                 "[arc give to take] kind: it is 'token', and can be one of: data, order");
  check_refused (AN_ARC "keeps=yes\n", LC_RULES_ERROR_VALUE,
                 "[arc give to take] keeps: it is 'yes', and can be one of: false, true");
  check_refused (AN_ARC "soft=yes\n", LC_RULES_ERROR_VALUE,
                 "[arc give to take] soft: it is 'yes', and can be one of: false, true");
  check_refused ("[arc a]\nclass=tickets\nfrom=lock\nto=unlock\n", LC_RULES_ERROR_UNKNOWN,
                 "[arc a] class: there is no class 'tickets'");
  check_refused ("[arc a]\nclass=mutex\nfrom=tear\nto=unlock\n", LC_RULES_ERROR_UNKNOWN,
                 "[arc a] from: there is no operation 'tear'");
  check_refused ("[arc a]\nclass=mutex\nfrom=lock\nto=tag\n", LC_RULES_ERROR_VALUE,
                 "[arc a] to: operation 'tag' is of class 'mark', not 'mutex'");
  check_refused ("[arc a]\nclass=mutex\nfrom=lock\nto=tag\nto-class=tickets\n", LC_RULES_ERROR_UNKNOWN,
                 "[arc a] class: there is no class 'tickets'");
  check_refused ("[arc a]\nclass=mutex\nfrom=lock\nto=tag\nto-class=io\n", LC_RULES_ERROR_VALUE,
                 "[arc a] to: operation 'tag' is of class 'mark', not 'io'");
}

/* --- Folders --------------------------------------------------------------------------------------------------------
 */

/* The summary that the files of the folder give class `round`, and what is wrong, in brackets; "-": neither. */
static char *
summary_of (const char *folder, const LcRulesFile *instead)
{
  g_autoptr (LcRules) rules = lc_rules_new ();
  g_autoptr (GError) error = NULL;
  const LcClassRule *rule;

  if (!lc_rules_load_directory (rules, folder, instead, &error))
    return g_strdup_printf ("[%s]", error->message);
  g_assert_no_error (error);
  rule = lc_rules_get_class (rules, "round");
  return g_strdup (rule != NULL ? rule->summary : "-");
}

static void
check_summary (const char *folder, const LcRulesFile *instead, const char *expected)
{
  g_autofree char *summary = summary_of (folder, instead);

  if (strstr (summary, expected) == NULL)
    g_error ("'%s' is not '%s'", summary, expected);
}

static void
write_rules (const char *folder, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

static void
remove_rules (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  g_assert_cmpint (g_remove (path), ==, 0);
}

/* The last file says it; what has another name says nothing; and a text may be taken for one of them. */
static void
test_folder (void)
{
  g_autofree char *outer = g_dir_make_tmp ("lightcone-rules-XXXXXX", NULL);
  g_autofree char *folder = g_build_filename (outer, "rules", NULL), *link = g_build_filename (outer, "link", NULL);
  g_autofree char *inside = g_build_filename (folder, "a.rules", NULL),
                  *far = g_build_filename (outer, "no", "r", NULL);
  g_autofree char *loop = g_build_filename (outer, "loop", NULL), *looped = g_build_filename (loop, "rules", NULL);
  const LcRulesFile changed = {folder, "b.rules", "[class round]\nsummary=Changed\n"}, gone = {folder, "b.rules", NULL};
  const LcRulesFile added = {folder, "c.rules", "[class round]\nsummary=Added\n"}, other = {outer, "b.rules", ""};

  check_summary (folder, NULL, "-");
  check_summary (folder, &changed, "Changed");
  check_summary (far, NULL, "-");
  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  write_rules (folder, "b.rules", "[class round]\nsummary=Second\n");
  write_rules (folder, "a.rules", "[class round]\nsummary=First\n");
  write_rules (folder, "c.rules~", "[class round]\nsummary=Third\n");
  write_rules (folder, "0.rules", "");
  check_summary (folder, NULL, "Second");
  check_summary (folder, &changed, "Changed");
  check_summary (folder, &gone, "First");
  check_summary (folder, &added, "Added");
  check_summary (folder, &other, "Second");
  check_summary (inside, NULL, "-");
  write_rules (folder, "a.rules", "[class round\n");
  check_summary (folder, NULL, "rules/a.rules: ");
  check_summary (folder, &changed, "rules/a.rules: ");
  g_assert_cmpint (symlink (folder, link), ==, 0);
  check_summary (link, NULL, "/link: ");
  g_assert_cmpint (symlink ("loop", loop), ==, 0);
  check_summary (looped, NULL, "/loop");
  remove_rules (outer, "link");
  remove_rules (outer, "loop");
  for (const char *const *name = (const char *const[]){"0.rules", "a.rules", "b.rules", "c.rules~", NULL}; *name;
       name++)
    remove_rules (folder, *name);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  g_assert_cmpint (g_rmdir (outer), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rules/timing/built-in", test_timing_built_in);
  g_test_add_func ("/rules/timing/words", test_timing_words);
  g_test_add_func ("/rules/timing/refused", test_timing_refused);
  g_test_add_func ("/rules/decided", test_decided);
  g_test_add_func ("/rules/uses", test_uses);
  g_test_add_func ("/rules/count", test_count);
  g_test_add_func ("/rules/works", test_work);
  g_test_add_func ("/rules/works/refused", test_work_refused);
  g_test_add_func ("/rules/phases", test_phase);
  g_test_add_func ("/rules/phases/refused", test_phase_refused);
  g_test_add_func ("/rules/classes/refused", test_class_refused);
  g_test_add_func ("/rules/operations/refused", test_operation_refused);
  g_test_add_func ("/rules/arcs/refused", test_arc_refused);
  g_test_add_func ("/rules/folder", test_folder);
  return g_test_run ();
}
