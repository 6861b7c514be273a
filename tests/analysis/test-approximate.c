/* SPDX-License-Identifier: Apache-2.0 */
/* Approximated times, computed by hand from the formulas of docs/approximation.md. */
#include <string.h>

#include "approximation.h"
#include "lightcone/what-if.h"

/* What is approximated, and what is to come out. */
typedef struct
{
  const char *const *files;
  const char *ini;
  const char *const *settings;
  LcApproximateOptions options;
} Trial;

static char *
approximate (const Trial *trial, LcApproximation *report)
{
  g_autoptr (TextTrace) trace = text_trace_new (trial->files, trial->ini);
  g_autoptr (LcCosts) costs = text_trace_get_costs (trace, trial->settings, FALSE);

  return text_trace_approximate (trace, costs, &trial->options, report);
}

static void
check (const Trial *trial, const char *expected)
{
  g_autofree char *found = approximate (trial, NULL);

  g_assert_cmpstr (found, ==, expected);
}

static void
check_event (const char *const *files, const char *ini, const char *expected)
{
  const Trial trial = {files, ini, NULL, {.model = LC_MODEL_EVENT}};

  check (&trial, expected);
}

static void
check_model (LcModel model, const char *const *files, const char *ini, const char *expected)
{
  const Trial trial = {files, ini, NULL, {.model = model}};

  check (&trial, expected);
}

static void
report_clear (LcApproximation *report)
{
  g_array_unref (report->processes);
  g_array_unref (report->operations);
  g_ptr_array_unref (report->warnings);
}

/* --- On its own process ------------------------------------------------------------------------------------ */

static const char *const marks[] = {"a", "100 110 tag value=1\n200 230 tag value=2\n240 250 tag value=3\n", NULL};

/* Before the first event there is the start of the recording. Of the last interval there is not enough. */
static void
test_local (void)
{
  check_event (marks, "[overhead]\n*=10;5;20\n", "90-95 155-180 180-185");
  check_event (marks, "[overhead]\n*=200;50;0\n", "0-0 0-0 0-0");
}

/* Who was blocked to its end ends with its program, whatever was taken off there; when the program's own end is not
 * known, as long after it began as was measured. Processes come in any order. */
static void
test_pending (void)
{
  static const char *const ended[] = {"a", "50 60 tag value=1\n%pending 300 1000 lock L 1\n",
                                      "b", "100 110 tag value=1\n200 230 tag value=2\n1000 1000 exit\n",
                                      "c", "0 0 tag value=1\n%pending 990 1000 barrier B 1\n",
                                      "d", "0 20 tag value=1\n",
                                      NULL};
  static const char *const killed[] = {"a", "50 60 tag value=1\n%pending 300 1000 lock L 1\n", NULL};
  static const char ini[] = "[overhead]\n*=10;5;20\n";
  static const char expected[] = "40-45 255-920w665\n90-95 155-180 920-920\n0-0 960-960\n0-15";

  check_event (ended, ini, expected);
  check_model (LC_MODEL_TIME, ended, ini, expected);
  check_model (LC_MODEL_LIBERAL, ended, ini, expected);
  check_event (killed, ini, "40-45 255-955w700");
}

/* What the recorder has found is a mean. What the advance owes, 5, goes on to whoever waited for it, and is taken off
 * there; not so where somebody has said what it costs. */
static void
test_owed (void)
{
  static const char *const files[] = {"a", "100 100 tag value=1\n105 105 advance A 1\n", "b",
                                      "50 108 await A 1\n130 130 tag value=1\n", NULL};

  check_event (files, "[trace]\nclock_ticks=1000000000\n[overhead]\n*=0;0;10\n[cost]\nawait=3;3\n",
               "100-100 100-100\n50-100w50 107-107");
  check_event (files, "[overhead]\n*=0;0;10\n[cost]\nawait=3;3\n", "100-100 100-100\n50-103w50 115-115");
}

static void
test_report (void)
{
  const Trial trial = {marks, "[overhead]\n*=10;5;20\n", NULL, {.model = LC_MODEL_EVENT}};
  LcApproximation report;
  g_autofree char *found = approximate (&trial, &report);
  const LcApproximatedProcess *process = &g_array_index (report.processes, LcApproximatedProcess, 0);

  g_assert_cmpstr (found, ==, "90-95 155-180 180-185");
  g_assert_cmpuint (report.measured_total, ==, 250);
  g_assert_cmpuint (report.approximated_total, ==, 185);
  g_assert_cmpuint (report.removed, ==, 10 + 5 + 30 + 5 + 10 + 5);
  g_assert_cmpuint (report.clamped, ==, 1);
  g_assert_cmpuint (report.events, ==, 3);
  g_assert_cmpuint (report.moved, ==, 3);
  g_assert_cmpuint (process->measured_begin, ==, 100);
  g_assert_cmpuint (process->begin, ==, 90);
  g_assert_cmpuint (process->end, ==, 185);
  g_assert_cmpuint (report.warnings->len, ==, 0);
  report_clear (&report);
}

/* Fractions of a ns are not lost: 4 times 0.75 are 3. */
static void
test_fractions (void)
{
  static const char *const files[] = {
      "a", "10 10 tag value=1\n20 20 tag value=1\n30 30 tag value=1\n40 40 tag value=1\n", NULL};

  check_event (files, "[overhead]\ntag=0.75;0;0\n", "10-10 19-19 28-28 37-37");
}

/* --- Releases ---------------------------------------------------------------------------------------------- */

#define OVERHEADS "[overhead]\n*=0;0;35\nawait=10;12;20\n"
#define GIVEN OVERHEADS "[cost]\nawait=90;260\n"

/* The 1991 paper's figure 2: waiting stays, vanishes, appears. */
static const char *const waits[] = {"a", "0 5 tag value=1\n50 55 tag value=2\n200 240 advance A 1\n", "b",
                                    "100 500 await A 1\n", NULL};
static const char *const vanishes[] = {"a", "0 5 tag value=1\n50 55 tag value=2\n200 240 advance A 1\n", "b",
                                       "220 500 await A 1\n", NULL};
static const char *const appears[] = {"a", "180 200 advance A 1\n", "b",
                                      "0 5 tag value=1\n60 65 tag value=2\n210 300 await A 1\n", NULL};
static const char *const never[] = {"a", "100 140 advance A 1\n", "b", "300 420 await A 1\n", NULL};

static void
test_await_given (void)
{
  check_event (waits, GIVEN, "0-5 15-20 130-170\n90-430w80");
  check_event (vanishes, GIVEN, "0-5 15-20 130-170\n210-300*");
  check_event (appears, GIVEN, "180-200\n0-5 25-30 130-460w70*");
  check_event (never, GIVEN, "100-140\n290-380");
}

/* In the same case as then, an event takes as long as then, unless it is known how long it takes. */
static void
test_await_own (void)
{
  check_event (waits, OVERHEADS, "0-5 15-20 130-170\n90-418w80");
  check_event (never, OVERHEADS, "100-140\n290-398");
}

/* What the recorder has found on its machine counts in another case than then. To wait for so much less that the
 * process may be awake instead of asleep is another case: of 4095 ns there are 4001 left, or 4000. */
static void
test_await_calibrated (void)
{
  static const char calibrated[] = GIVEN "[trace]\nclock_ticks=1\n";
  static const char *const files[] = {"a", "0 0 tag value=1\n4200 4200 advance A 1\n", "b", "105 4500 await A 1\n",
                                      NULL};
  static const char much[] = "[trace]\nclock_ticks=1\n[cost]\nawait=90;260\n[overhead]\ntag=0;0;94\n";
  static const char more[] = "[trace]\nclock_ticks=1\n[cost]\nawait=90;260\n[overhead]\ntag=0;0;95\n";

  check_event (waits, calibrated, "0-5 15-20 130-170\n90-418w80");
  check_event (vanishes, calibrated, "0-5 15-20 130-170\n210-300*");
  check_event (never, calibrated, "100-140\n290-398");
  check_event (files, much, "0-0 4106-4106\n105-4406w4001");
  check_event (files, more, "0-0 4105-4105\n105-4365w4000");
}

/* The recorder stamps a release, does its own work, and then releases: the wait had begun to end only then. */
static void
test_await_late (void)
{
  static const char *const files[] = {"a", "200 200 advance A 1\n", "b", "100 290 await A 1\n",
                                      "c", "220 290 await A 1\n",   NULL};
  static const char overheads[] = "[overhead]\nadvance=0;0;35\nawait=0;0;0\n";

  check_event (files, "[trace]\nclock_ticks=1\n[overhead]\nadvance=0;0;35\nawait=0;0;0\n",
               "200-200\n100-255w100\n220-220");
  check_event (files, overheads, "200-200\n100-290w100\n220-290");
}

/* What is estimated is only for events that are in another case than then. */
static void
check_estimated (const char *const *files, const char *expected)
{
  const LcApproximateOptions options = {.model = LC_MODEL_EVENT};
  g_autoptr (TextTrace) trace = text_trace_new (files, OVERHEADS);
  g_autoptr (LcCosts) costs = text_trace_get_costs (trace, NULL, TRUE);
  g_autofree char *found = text_trace_approximate (trace, costs, &options, NULL);

  g_assert_cmpstr (found, ==, expected);
}

static void
test_await_estimated (void)
{
  static const char *const both[] = {"a", "0 5 tag value=1\n50 55 tag value=2\n200 240 advance A 1\n",
                                     "b", "100 500 await A 1\n",
                                     "c", "220 490 await A 1\n",
                                     "d", "300 352 await A 1\n",
                                     NULL};

  check_estimated (both, "0-5 15-20 130-170\n90-418w80\n210-250*\n290-330");
}

static void
test_await_unknown (void)
{
  const Trial trial = {vanishes, OVERHEADS, NULL, {.model = LC_MODEL_EVENT}};
  LcApproximation report;
  g_autofree char *found = approximate (&trial, &report);

  g_assert_cmpstr (found, ==, "0-5 15-20 130-170\n210-210*");
  g_assert_cmpuint (report.warnings->len, ==, 1);
  g_assert_nonnull (strstr (g_ptr_array_index (report.warnings, 0), "1 events (await)"));
  g_assert_cmpuint (report.lost, ==, 1);
  g_assert_cmpuint (report.gained, ==, 0);
  g_assert_cmpuint (report.reordered, ==, 1);
  g_assert_cmpuint (g_array_index (report.processes, LcApproximatedProcess, 1).measured_waiting, ==, 20);
  report_clear (&report);
}

/* Of several points the last one counts, and which one that is may change. */
static void
test_several (void)
{
  static const char *const files[] = {
      "a", "0 10 write-start C 1 value=0\n20 30 write-end C 1\n", "b", "40 50 read-start C 1\n60 160 read-end C 1\n",
      "c", "41 55 read-start C 1\n56 150 read-end C 1\n",         "d", "100 170 write-start C 2 value=2\n",
      NULL};

  check_event (files, "[overhead]\nread-end=0;50;0\n", "0-10 20-30\n40-50 60-110\n41-55 56-100\n100-120w10");
  check_event (files, "[overhead]\nread-end=0;50;0\n[cost]\nwrite-start=7;9\n",
               "0-7 17-27\n40-50 60-110\n41-55 56-100\n100-119w10");
}

/* A time-out is not what somebody says that waiting costs. */
static void
test_unknown_partner (void)
{
  static const char *const files[] = {"a", "0 1000 lock-failed L\n1100 1120 lock L 1\n", NULL};

  check_event (files, "[cost]\nlock=5;10\n", "0-1000 1100-1105");
}

/* --- Processes --------------------------------------------------------------------------------------------- */

/* A process begins after the begin of its create, with no overhead behind that. */
static void
test_start (void)
{
  static const char *const files[] = {"a", "0 10 tag value=1\n100 140 create T\n", "b",
                                      "300 310 start T\n400 410 tag value=1\n", NULL};
  static const char ini[] = "[overhead]\n*=0;0;35\nstart=50;2;0\n";

  check_event (files, ini, "0-10 65-105\n215-223 313-323");
  check_model (LC_MODEL_TIME, files, ini, "0-10 65-105\n250-258 348-358");
}

/* --- Barriers ---------------------------------------------------------------------------------------------- */

/* The 1993 paper's figure 2: another process comes last than was measured. */
static const char *const barrier[] = {
    "a", "100 350 barrier B 0\n",
    "b", "200 330 barrier B 0\n",
    "c", "0 10 tag value=1\n100 110 tag value=2\n200 210 tag value=3\n300 320 barrier B 0\n",
    NULL};

static void
test_barrier (void)
{
  static const char overheads[] = "[overhead]\ntag=0;0;80\n";
  static const struct
  {
    const char *key, *expected;
  } exits[] = {
      {"exit=linear\nbeta=10", "100-220w100*\n200-210*\n0-10 20-30 40-50 60-230w140*"},
      {"exit=linear", "100-230w100*\n200-215*\n0-10 20-30 40-50 60-245w140*"},
      {"exit=measured", "100-230w100*\n200-220*\n0-10 20-30 40-50 60-250w140*"},
      {"exit=simultaneous", "100-250w100*\n200-230*\n0-10 20-30 40-50 60-220w140*"},
      {"exit=logarithmic", "100-250w100*\n200-230*\n0-10 20-30 40-50 60-220w140*"},
      {"exit=sequential", "100-250w100*\n200-230*\n0-10 20-30 40-50 60-220w140*"},
  };

  for (gsize i = 0; i < G_N_ELEMENTS (exits); i++)
    {
      g_autofree char *ini = g_strdup_printf ("%s[barrier]\n%s\n", overheads, exits[i].key);

      check_event (barrier, ini, exits[i].expected);
    }
  check_event (barrier, "[overhead]\nbarrier=0;5;0\n", "100-345w200\n200-325w100\n0-10 100-110 200-210 300-315");
}

/* Each on its own: it waits as little as it did, but nobody was there before. */
static void
test_time (void)
{
  check_model (LC_MODEL_TIME, barrier, "[overhead]\ntag=0;0;80\n",
               "100-350w100*\n200-330*\n0-10 20-30 40-50 60-80w20*");
  check_model (LC_MODEL_TIME, waits, GIVEN, "0-5 15-20 130-170\n90-478w80");
}

/* --- Messages ---------------------------------------------------------------------------------------------- */

#define SEND(begin, end) #begin " " #end " send 0>1:0 0 bytes=10 to=1\n"
#define RECV(begin, end) #begin " " #end " recv 0>1:0 0 bytes=10 from=0\n"
#define MESSAGES "[overhead]\nrecv=20;4;0\ntag=0;0;300\n[cost]\ncopy=5\n"
#define LINEAR "[communication]\ntopology=ring\nlong=100;2;10\n"

static const char *const shown[] = {"a", SEND (100, 110), "b", RECV (50, 300), NULL};
static const char *const over[] = {"a", "0 1 tag value=1\n" SEND (400, 410), "b", RECV (390, 460), NULL};
static const char *const there[] = {"a", SEND (100, 110), "b", RECV (500, 509), NULL};
static const char *const early[] = {"a", SEND (100, 110), "b", "0 1 tag value=1\n" RECV (400, 409), NULL};

/* The 1993 paper's two scenarios, and two cases of each. */
static void
test_message (void)
{
  check_event (shown, MESSAGES LINEAR, "100-110\n30-296w70");
  check_event (over, MESSAGES LINEAR, "0-1 100-110\n370-375*");
  check_event (there, MESSAGES LINEAR, "100-110\n480-485");
  check_event (early, MESSAGES LINEAR, "100-110\n0-1 80-240w20*");
}

/* It had come by the time it was received. */
static void
test_message_cap (void)
{
  check_event (early, MESSAGES "[communication]\nlong=1000;0;0\n", "100-110\n0-1 80-405w20*");
  check_event (early, MESSAGES "[communication]\nshort=11;50;1;0\nlong=1000;0;0\n", "100-110\n0-1 80-170w20*");
}

static void
test_message_models (void)
{
  static const char optimistic[] = MESSAGES LINEAR "model=optimistic\n";

  check_model (LC_MODEL_OPTIMISTIC, early, MESSAGES LINEAR, "100-110\n0-1 80-110w20*");
  check_model (LC_MODEL_PESSIMISTIC, early, MESSAGES LINEAR, "100-110\n0-1 80-409w20*");
  check_model (LC_MODEL_OPTIMISTIC, shown, MESSAGES LINEAR, "100-110\n30-110w70");
  check_model (LC_MODEL_PESSIMISTIC, shown, MESSAGES LINEAR, "100-110\n30-300w70");
  check_event (early, optimistic, "100-110\n0-1 80-110w20*");
  check_model (LC_MODEL_PESSIMISTIC, early, optimistic, "100-110\n0-1 80-409w20*");
}

static void
test_message_unknown (void)
{
  const Trial trial = {early, MESSAGES, NULL, {.model = LC_MODEL_EVENT}};
  LcApproximation report;
  g_autofree char *found = approximate (&trial, &report);

  g_assert_cmpstr (found, ==, "100-110\n0-1 80-405w20*");
  g_assert_cmpuint (report.warnings->len, ==, 2);
  g_assert_nonnull (strstr (g_ptr_array_index (report.warnings, 0), "recording send costs"));
  g_assert_nonnull (strstr (g_ptr_array_index (report.warnings, 1), "communication.long="));
  report_clear (&report);
}

/* The recorder writes a send before it hands the message over: what that takes is no part of the way. */
static void
test_message_late (void)
{
  static const char *const files[] = {"a", "100 105 send 0>1:0 0 to=1 bytes=10\n", "b",
                                      "50 300 recv 0>1:0 0 from=0 bytes=10\n", NULL};

  check_event (files, "[trace]\nclock_ticks=1\nversion=1\n[overhead]\nsend=0;5;40\n", "100-100\n50-255w50");
  check_event (files, "[trace]\nclock_ticks=1\n[overhead]\nsend=0;5;40\n", "100-100\n50-300w50");
  check_event (files, "[overhead]\nsend=0;5;40\n", "100-100\n50-300w50");
}

static void
test_rendezvous (void)
{
  static const char *const files[] = {"a", "100 300 ssend 0>1:0 0 to=1 bytes=10\n", "b",
                                      "0 10 tag value=1\n200 310 recv 0>1:0 0 from=0\n", NULL};
  static const char ini[] = "[overhead]\ntag=0;0;150\nssend=0;4;0\n[cost]\ncopy=5\n";

  check_event (files, ini, "100-196*\n0-10 50-210w50*");
  check_model (LC_MODEL_OPTIMISTIC, files, ini, "100-110*\n0-10 50-110w50*");
  check_model (LC_MODEL_PESSIMISTIC, files, ini, "100-200*\n0-10 50-210w50*");
}

/* --- Messages that are completed later --------------------------------------------------------------------- */

#define COMPLETING "[overhead]\nrecv=20;4;0\nisend=0;0;30\nirecv=0;0;30\ncomplete=20;4;0\n[cost]\ncomplete=7\n"

static void
test_complete_receive (void)
{
  static const char *const waited[] = {"a", SEND (100, 110), "b",
                                       "50 60 irecv 0>1:0 0 bytes=10 from=0\n200 300 complete 0>1:0 0\n", NULL};
  static const char *const was_there[] = {"a", SEND (100, 110), "b",
                                          "50 60 irecv 0>1:0 0 bytes=10 from=0\n500 510 complete 0>1:0 0\n", NULL};

  check_event (waited, COMPLETING "copy=5\n" LINEAR, "100-110\n50-60 150-296");
  check_event (was_there, COMPLETING "copy=5\n" LINEAR, "100-110\n50-60 450-457");
}

/* A sender's own: when the message is copied out of its memory. */
static void
test_complete_send (void)
{
  static const char *const files[] = {"a", "100 110 isend 0>1:0 0 bytes=10 to=1\n120 150 complete 0>1:0 0\n", "b",
                                      RECV (50, 300), NULL};

  check_event (files, COMPLETING "copy=5\n" LINEAR, "100-110 110-117\n30-296w70");
  check_event (files, COMPLETING "copy=50\n" LINEAR, "100-110 110-150\n30-296w70");
}

/* An ssend goes on when the irecv is there. */
static void
test_complete_rendezvous (void)
{
  static const char *const files[] = {"a", "100 300 ssend 0>1:0 0 bytes=10 to=1\n", "b",
                                      "0 10 tag value=1\n150 160 irecv 0>1:0 0 from=0\n200 290 complete 0>1:0 0\n",
                                      NULL};

  check_event (files, "[overhead]\ntag=0;0;100\n[cost]\ncomplete=7\n", "100-250*\n0-10 50-60 100-240");
}

/* Asking in vain takes no time up to the answer, and all of it if something else comes first. */
static void
test_poll (void)
{
  static const char *const late[] = {
      "a", SEND (100, 110), "b",
      "50 60 irecv 0>1:0 0\n100 110 test-failed 0>1:0 0\n120 130 test-failed 0>1:0 0\n140 150 test-failed 0>1:0 0\n"
      "160 170 complete 0>1:0 0\n200 210 tag value=1\n",
      NULL};
  static const char *const sooner[] = {
      "a", "0 1 tag value=1\n" SEND (100, 110), "b",
      "50 60 irecv 0>1:0 0\n100 110 test-failed 0>1:0 0\n120 130 test-failed 0>1:0 0\n140 150 test-failed 0>1:0 0\n"
      "160 170 complete 0>1:0 0\n200 210 enter r\n",
      NULL};
  static const char *const in_vain[] = {
      "a", "100 110 test-failed 1>0:0 0\n120 130 test-failed 1>0:0 0\n140 145 enter r\n", NULL};
  static const char ini[] = "[overhead]\ntest-failed=0;0;5\ncomplete=0;2;0\ntag=0;0;60\n[cost]\ncomplete=7\ncopy=5\n";

  check_event (late, ini, "100-110\n50-60 100-100 100-100 100-100 100-168 198-208");
  check_event (sooner, ini, "0-1 40-50\n50-60 100-100 100-100 100-100 100-108 138-148");
  check_event (in_vain, ini, "100-100 100-100 130-135");
  check_event (late, "", "100-110\n50-60 100-110 120-130 140-150 160-170 200-210");
}

/* A message that is only looked at: as a receive that copies nothing. */
static void
test_probe (void)
{
  static const char *const waited[] = {"a", SEND (100, 110), "b", "50 300 probe 0>1:0 0\n310 315 recv 0>1:0 0\n", NULL};
  static const char *const was_there[] = {"a", SEND (100, 110), "b", "400 410 probe 0>1:0 0\n415 420 recv 0>1:0 0\n",
                                          NULL};
  static const char *const asked[] = {
      "a", SEND (100, 110), "b",
      "50 60 probe-failed 0>1:0 0\n80 90 probe-failed 0>1:0 0\n140 150 probe 0>1:0 0\n155 160 recv 0>1:0 0\n", NULL};
  static const char ini[] = "[overhead]\nprobe=20;4;0\nprobe-failed=0;0;5\n[cost]\nprobe=7\ncopy=5\n" LINEAR;

  /* It waited: C_m = 300 - 100 - 4 - 5. */
  check_event (waited, ini, "100-110\n30-296w70 306-311");
  check_model (LC_MODEL_OPTIMISTIC, waited, ini, "100-110\n30-105w70 115-120");
  check_model (LC_MODEL_PESSIMISTIC, waited, ini, "100-110\n30-300w70 310-315");
  check_event (was_there, ini, "100-110\n380-387 392-397");
  check_model (LC_MODEL_OPTIMISTIC, asked, ini, "100-110\n50-50 50-50 50-105w50* 110-115");
}

/* --- Many together ----------------------------------------------------------------------------------------- */

/* As completes, from what was begun; the first that are needed are there long before the last. */
static void
test_finish (void)
{
  static const char *const all[] = {
      "a", "0 10 iall-reduce W 0 value=2 bytes=8\n20 300 finish-all W 0 value=2 bytes=8\n", "b",
      "0 1 tag value=1\n200 210 iall-reduce W 0 value=2 bytes=8\n"
      "220 310 finish-all W 0 value=2 bytes=8\n",
      NULL};
  static const char *const down[] = {"a", "100 110 ibroadcast-root W 0 value=2\n120 130 finish-local W 0 value=2\n",
                                     "b",
                                     "0 10 ibroadcast-recv W 0 value=2\n20 30 finish-failed W 0 value=2\n"
                                     "40 300 finish-from-root W 0 value=2\n",
                                     NULL};
  static const char *const up[] = {"a", "0 10 igather-root W 0 value=3\n20 300 finish-at-root W 0 value=3\n",
                                   "b", "100 110 igather W 0 value=3\n120 130 finish-local W 0 value=3\n",
                                   "c", "0 1 tag value=1\n200 210 igather W 0 value=3\n",
                                   NULL};
  static const char ini[] = "[overhead]\ntag=0;0;100\n[cost]\nfinish-all=7\nfinish-local=7\nfinish-at-root=7\n"
                            "finish-from-root=7\ncopy=5\n";

  /* The last to begin does so 100 earlier, and what was waited for comes as much earlier. */
  check_event (all, ini, "0-10 20-200w80\n0-1 100-110 120-210");
  check_event (down, ini, "100-110 120-127\n0-10 20-20 20-300w80");
  check_event (up, ini, "0-10 20-200w80\n100-110 120-127\n0-1 100-110");
}

static void
test_tree (void)
{
  static const char *const down[] = {"a", "100 120 broadcast-root W 0 value=3 bytes=10\n",
                                     "b", "50 200 broadcast-recv W 0 value=3 bytes=10\n",
                                     "c", "0 10 tag value=1\n300 304 broadcast-recv W 0 value=3 bytes=10\n",
                                     NULL};
  static const char *const up[] = {
      "a", "0 10 tag value=1\n400 500 reduce-root W 0 value=3\n", "b", "100 110 reduce W 0 value=3\n",
      "c", "0 10 tag value=1\n450 460 reduce W 0 value=3\n",      NULL};
  static const char ini[] = "[overhead]\ntag=0;0;200\n[cost]\ncopy=5\n[communication]\nlong=20;1;3\n";

  check_event (down, ini, "100-120\n50-200w50\n0-10 100-176");
  check_event (up, ini, "0-10 200-300w50\n100-110\n0-10 250-260");
  check_model (LC_MODEL_OPTIMISTIC, down, ini, "100-120\n50-110w50\n0-10 100-110");
}

static void
test_together (void)
{
  static const char *const files[] = {"a", "100 310 all-reduce W 0 value=3\n",
                                      "b", "200 330 all-reduce W 0 value=3\n",
                                      "c", "0 10 tag value=1\n300 320 all-reduce W 0 value=3\n",
                                      NULL};

  check_event (files, "[overhead]\ntag=0;0;150\n", "100-210w100*\n200-230*\n0-10 150-220w50*");
}

/* --- What-if ----------------------------------------------------------------------------------------------- */

static const char *const locks[] = {"a", "10 30 lock L 1\n100 110 unlock L 1\n200 220 lock L 3\n230 240 unlock L 3\n",
                                    "b", "50 130 lock L 2\n150 160 unlock L 2\n", NULL};

static void
check_scaled (const char *const *files, const char *what, const char *expected)
{
  g_autoptr (TextTrace) trace = text_trace_new (files, "[overhead]\n*=1;1;1\n");
  g_autoptr (LcCosts) costs = text_trace_get_costs (trace, NULL, FALSE);
  LcScale scale;
  const LcApproximateOptions options = {
      .model = LC_MODEL_EVENT, .scales = &scale, .n_scales = 1, .keep_measurement = TRUE};
  g_autoptr (GError) error = NULL;
  g_autofree char *found = NULL;

  g_assert_true (lc_scale_parse (trace->trace, NULL, what, &scale, &error));
  g_assert_no_error (error);
  found = text_trace_approximate (trace, costs, &options, NULL);
  g_assert_cmpstr (found, ==, expected);
  lc_scale_clear (&scale);
}

static void
test_scales (void)
{
  static const char *const regions[] = {
      "a", "10 12 enter r\n32 40 tag value=1\n50 60 enter s\n70 80 leave s\n90 94 leave r\n100 110 tag value=2\n",
      NULL};
  static const char *const messages[] = {"a", SEND (100, 110), "b", RECV (50, 300), NULL};

  check_scaled (locks, "lock=1", "10-30 100-110 200-220 230-240\n50-130w60 150-160");
  check_scaled (locks, "lock=0", "10-10 80-90 180-180 190-200\n50-90w40 110-120");
  check_scaled (locks, "object:L=0.5", "10-20 90-95 185-195 205-210\n50-105w45 125-130");
  check_scaled (regions, "r=0.5", "10-11 21-25 30-40 50-60 65-67 73-83");
  check_scaled (regions, "region:r=0", "10-10 10-10 10-20 30-40 40-40 46-56");
  check_scaled (messages, "communication=0.5", "100-110\n50-200w50");
}

static void
test_scale_names (void)
{
  static const char *const files[] = {"a", "0 1 lock x 1\n2 3 unlock x 1\n4 5 post x 1\n6 7 send 0>0:1 0\n", NULL};
  static const struct
  {
    const char *text, *message;
  } wrong[] = {{"nothing=2", "nothing"},    {"x=2", "mutex:x, semaphore:x"}, {"object:x", "mutex:x, semaphore:x"},
               {"lock=fast", "the factor"}, {"lock=-1", "the factor"},       {"region:x=1", "region:x"}};
  g_autoptr (TextTrace) trace = text_trace_new (files, NULL);
  LcScale scale;

  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (lc_scale_parse (trace->trace, NULL, wrong[i].text, &scale, &error));
      g_assert_error (error, LC_COSTS_ERROR, LC_COSTS_ERROR_VALUE);
      g_assert_nonnull (strstr (error->message, wrong[i].message));
    }
  g_assert_true (lc_scale_parse (trace->trace, NULL, "semaphore:x=2.5", &scale, NULL));
  g_assert_cmpint (scale.kind, ==, LC_SCALE_OBJECT);
  g_assert_cmpfloat (scale.factor, ==, 2.5);
  g_assert_cmpstr (scale.name, ==, "semaphore:x");
  lc_scale_clear (&scale);
  g_assert_true (lc_scale_parse (trace->trace, NULL, "0>0:1=2", &scale, NULL));
  g_assert_cmpint (scale.kind, ==, LC_SCALE_OBJECT);
  lc_scale_clear (&scale);
  g_assert_true (lc_scale_parse (trace->trace, NULL, "process:a=2", &scale, NULL));
  g_assert_cmpint (scale.kind, ==, LC_SCALE_PROCESS);
  lc_scale_clear (&scale);
  g_assert_true (lc_scale_parse (trace->trace, NULL, "communication", &scale, NULL));
  g_assert_cmpint (scale.kind, ==, LC_SCALE_COMMUNICATION);
  lc_scale_clear (&scale);
}

/* --- Nothing taken off, nothing said ----------------------------------------------------------------------- */

static const char *const every_class[] = {
    "a",
    "5 10 create b\n12 20 lock L 1\n30 31 unlock L 1\n40 47 barrier B 0\n50 51 signal C 1\n60 61 post S 1\n"
    "70 71 advance A 1\n80 81 write-start W 1 value=0\n82 83 write-end W 1\n90 91 send 0>1:0 0\n"
    "100 131 ssend 0>1:1 0\n140 160 join b\n",
    "b",
    "7 15 start b\n16 35 lock L 2\n36 37 unlock L 2\n38 45 barrier B 0\n46 55 condition-wait C 1\n56 65 wait S 1\n"
    "66 75 await A 1\n76 85 read-start W 1\n86 87 read-end W 1\n89 97 recv 0>1:0 0\n120 133 recv 0>1:1 0\n"
    "149 150 exit b\n",
    NULL};

static void
test_exact (void)
{
  static const char expected[] = "5-10 12-20 30-31 40-47 50-51 60-61 70-71 80-81 82-83 90-91 100-131w20 140-160w10\n"
                                 "7-15 16-35w15 36-37 38-45w2 46-55w5 56-65w5 66-75w5 76-85w7 86-87 89-97w1 "
                                 "120-133 149-150";
  static const LcModel models[] = {LC_MODEL_EVENT, LC_MODEL_LIBERAL, LC_MODEL_PESSIMISTIC, LC_MODEL_TIME};

  for (gsize i = 0; i < G_N_ELEMENTS (models); i++)
    {
      check_model (models[i], every_class, NULL, expected);
      check_model (models[i], every_class, "[overhead]\n*=0;0;0\n", expected);
    }
}

/* Recorded, with costs that make it longer than it was measured: an empty list of settings is nobody's. */
static void
test_kept (void)
{
  static const char *const files[] = {"a", "0 5 lock m 1\n1000 1010 unlock m 1\n", "b",
                                      "0 0 tag\n1100 1105 lock m 2\n1110 1115 unlock m 2\n", NULL};
  static const char ini[] = "[trace]\nclock_ticks=1\n[overhead]\n*=0;0;0\ntag=0;0;500\n[cost]\nlock=5;20000\n";
  static const char *const none[] = {NULL};
  g_autoptr (TextTrace) trace = text_trace_new (files, ini);

  for (guint i = 0; i < 2; i++)
    {
      const LcApproximateOptions options = {.model = LC_MODEL_EVENT, .settings = i == 0 ? NULL : none};
      g_autoptr (GError) error = NULL;
      g_autoptr (LcApproximation) approximation = lc_approximate (trace->directory, &options, &error);

      g_assert_no_error (error);
      g_assert_true (approximation->kept);
      g_assert_cmpuint (approximation->approximated_total, ==, 1115);
    }
}

/* The order stays, so that nothing is said of decisions that were taken back: d's attempt would have been in time. */
static void
test_order_kept (void)
{
  static const char *const files[] = {"a", "0 10 lock m 1\n200 210 unlock m 1\n",
                                      "b", "0 10 tag\n152 320 lock m 3\n330 340 unlock m 3\n",
                                      "c", "150 240 lock m 2\n290 300 unlock m 2\n600 610 work\n",
                                      "d", "500 501 lock-failed m\n",
                                      NULL};
  static const char ini[] = "[trace]\nclock_ticks=1\n[overhead]\n*=0;0;0\ntag=0;0;5\n[cost]\nlock=10;30\n";
  g_autoptr (TextTrace) trace = text_trace_new (files, ini);

  for (guint i = 0; i < 2; i++)
    {
      const LcApproximateOptions options = {.model = i == 0 ? LC_MODEL_LIBERAL : LC_MODEL_AUTO};
      g_autoptr (GError) error = NULL;
      g_autoptr (LcApproximation) approximation = lc_approximate (trace->directory, &options, &error);

      g_assert_no_error (error);
      g_assert_cmpuint (approximation->warnings->len, ==, approximation->warning_kinds->len);
      g_assert_cmpstr (approximation->warning_kinds->pdata[0], ==, i == 0 ? "attempts" : "kept-order");
      g_assert_cmpint (approximation->model, ==, i == 0 ? LC_MODEL_LIBERAL : LC_MODEL_EVENT);
      g_assert_cmpstr (approximation->name, ==, i == 0 ? "liberal" : "event");
    }
}

/* --- Experiments ------------------------------------------------------------------------------------------------ */

static guint64
experiment_find_total (LcExperiment *experiment, const LcScale *scale)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LcApproximation) found = lc_experiment_try (experiment, scale, 1, NULL, NULL, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (found->measured_total, ==, 1120);
  return found->approximated_total;
}

static guint
experiment_count_timelines (TextTrace *trace)
{
  g_autofree char *path = lc_merge_dup_path (trace->directory);
  g_autoptr (LcHistory) history = lc_history_open (path, NULL);
  g_autoptr (GPtrArray) timelines = lc_history_list_timelines (history, NULL);

  return timelines->len;
}

/* An experiment finds what a timeline has, whatever was asked before, and leaves none; one that is cancelled answers
 * the next question all the same. */
static void
test_experiment (void)
{
  static const char *const files[] = {"a", "0 10 lock m 1\n1000 1010 unlock m 1\n", "b",
                                      "50 1050 lock m 2\n1110 1120 unlock m 2\n", NULL};
  static const double factors[] = {0, 2, 0.5, 0};
  g_autoptr (TextTrace) trace = text_trace_new (files, "[overhead]\n*=0;0;0\n[cost]\nlock=10;40\nunlock=10\n");
  LcApproximateOptions options = {.model = LC_MODEL_AUTO, .keep_measurement = TRUE};
  g_autoptr (GError) error = NULL;
  g_autoptr (LcExperiment) experiment = lc_experiment_new (trace->directory, &options, &error);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  guint64 totals[G_N_ELEMENTS (factors)];
  LcScale scale;

  g_assert_no_error (error);
  g_assert_true (lc_experiment_parse (experiment, "m", &scale, NULL));
  g_cancellable_cancel (cancellable);
  g_assert_null (lc_experiment_try (experiment, &scale, 1, NULL, NULL, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);
  for (guint i = 0; i < G_N_ELEMENTS (factors); i++)
    {
      scale.factor = factors[i];
      totals[i] = experiment_find_total (experiment, &scale);
    }
  g_assert_cmpuint (experiment_count_timelines (trace), ==, 1);
  options.scales = &scale;
  options.n_scales = 1;
  for (guint i = 0; i < G_N_ELEMENTS (factors); i++)
    {
      g_autoptr (LcApproximation) made = NULL;

      scale.factor = factors[i];
      made = lc_approximate (trace->directory, &options, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (made->approximated_total, ==, totals[i]);
    }
  g_assert_cmpuint (totals[0], <, 1120);
  g_assert_cmpuint (totals[1], >, 1120);
  g_assert_cmpuint (experiment_count_timelines (trace), ==, 4);
  lc_scale_clear (&scale);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/approximate/local", test_local);
  g_test_add_func ("/approximate/owed", test_owed);
  g_test_add_func ("/approximate/pending", test_pending);
  g_test_add_func ("/approximate/report", test_report);
  g_test_add_func ("/approximate/fractions", test_fractions);
  g_test_add_func ("/approximate/await/given", test_await_given);
  g_test_add_func ("/approximate/await/own", test_await_own);
  g_test_add_func ("/approximate/await/calibrated", test_await_calibrated);
  g_test_add_func ("/approximate/await/late", test_await_late);
  g_test_add_func ("/approximate/await/estimated", test_await_estimated);
  g_test_add_func ("/approximate/await/unknown", test_await_unknown);
  g_test_add_func ("/approximate/several", test_several);
  g_test_add_func ("/approximate/unknown-partner", test_unknown_partner);
  g_test_add_func ("/approximate/start", test_start);
  g_test_add_func ("/approximate/barrier", test_barrier);
  g_test_add_func ("/approximate/time", test_time);
  g_test_add_func ("/approximate/message", test_message);
  g_test_add_func ("/approximate/message/cap", test_message_cap);
  g_test_add_func ("/approximate/message/models", test_message_models);
  g_test_add_func ("/approximate/message/unknown", test_message_unknown);
  g_test_add_func ("/approximate/message/late", test_message_late);
  g_test_add_func ("/approximate/rendezvous", test_rendezvous);
  g_test_add_func ("/approximate/complete/receive", test_complete_receive);
  g_test_add_func ("/approximate/complete/send", test_complete_send);
  g_test_add_func ("/approximate/complete/rendezvous", test_complete_rendezvous);
  g_test_add_func ("/approximate/poll", test_poll);
  g_test_add_func ("/approximate/probe", test_probe);
  g_test_add_func ("/approximate/finish", test_finish);
  g_test_add_func ("/approximate/tree", test_tree);
  g_test_add_func ("/approximate/together", test_together);
  g_test_add_func ("/approximate/scales", test_scales);
  g_test_add_func ("/approximate/scale-names", test_scale_names);
  g_test_add_func ("/approximate/exact", test_exact);
  g_test_add_func ("/approximate/kept", test_kept);
  g_test_add_func ("/approximate/order-kept", test_order_kept);
  g_test_add_func ("/approximate/experiment", test_experiment);
  return g_test_run ();
}
