/* SPDX-License-Identifier: Apache-2.0 */
/* Profiled: finds out while the program runs what measuring a call costs at the place where it is made. */
#include "profile.h"

/*
 * Now and then there is a trial: some calls of a function that calls no others are not measured. A trial has three
 * windows of equally many calls: measured, skipped, measured. The difference of their lengths is the cost of the
 * measurement, less what overlaps with the work of this function and its caller. A window begins well after the change:
 * the processor's branch predictions depend on previous instructions, including those of the measurement, and have to
 * be learned anew. Until then a skipped call takes longer (here by a tenth) than in a program that is not measured.
 *
 * Only time between successive calls counts: a stretch ends when another function is entered or left, or MPI is called.
 * A skipped call is counted in the profile with the mean time of the first window's calls, without their measurement.
 */
enum step
{
  FIRST,  /* window, measured */
  CHANGE, /* calls after the change, skipped */
  SECOND, /* window, skipped */
  BACK,   /* calls after the change, measured */
  THIRD,  /* window, measured */
};

enum
{
  WINDOW = 512,   /* calls */
  LEARNED = 1024, /* calls after a change */
  STRETCH = 8,    /* calls of a stretch, at least, in the mean of a window */
  OTHERS = 4096,  /* calls of other functions in a trial, at most */
  RARELY = 7,     /* how often the frequency of trials is halved: until about 1.5% of the calls are skipped */
  WEIGHTS = 8,    /* the weight of a batch is at least 1 of so many */
};

bool lc_profile_tries;
int64_t lc_profile_skip_cost;

static uint32_t
calls_in (int step)
{
  return step == CHANGE || step == BACK ? LEARNED : WINDOW;
}

/* Ends the trial; the next one comes after a random pause. */
static void
profile_trial_stop (struct lc_profile_trial *trial, uint32_t pause)
{
  uint32_t state = trial->random != 0 ? trial->random : (uint32_t)(uintptr_t)trial | 1;

  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  trial->random = state;
  trial->key = NULL;
  trial->is_skipping = false;
  trial->left = pause + state % pause;
}

static void
profile_trial_fail (struct lc_profile_trial *trial)
{
  struct lc_profile_routine *routine = trial->routine;

  if (routine->n_failed < RARELY)
    routine->n_failed++;
  profile_trial_stop (trial, WINDOW << routine->n_failed);
}

/* --- Skipped calls ----------------------------------------------------------------------------------------- */

/* Adds the skipped calls to the profile. */
static void
profile_trial_tell (struct lc_profile_thread *thread, int64_t now)
{
  struct lc_profile_trial *trial = &thread->trial;
  struct lc_profile_times *times;
  int64_t spent = (int64_t)trial->skipped_calls * trial->own / LC_PROFILE_PARTS;
  uint32_t path;

  /* The stretch ends when its caller calls another routine or leaves, so all these calls have one path. */
  times = lc_profile_find_times (thread, trial->routine->id, &path);

  if (spent > now - trial->told)
    spent = now - trial->told;
  times->calls += trial->skipped_calls;
  times->skipped += trial->skipped_calls;
  for (int way = 0; way < LC_PROFILE_WAYS; way++)
    {
      times->inclusive[way] += spent;
      times->exclusive[way] += spent;
      if (thread->depth > 0)
        thread->frames[thread->depth - 1].inner[way] += spent;
    }
  lc_profile_charge (thread, (int64_t)trial->skipped_calls * lc_profile_skip_cost);
  trial->skipped_calls = 0;
  trial->told = now;
}

void
lc_profile_trial_tell (struct lc_profile_thread *thread)
{
  if (thread->trial.key != NULL && thread->trial.skipped_calls > 0)
    profile_trial_tell (thread, lc_profile_now ());
}

/* The routine calls others after all, so it gets no more trials, and the present call is measured from here on. */
static void
profile_trial_give_up (struct lc_profile_thread *thread)
{
  struct lc_profile_trial *trial = &thread->trial;
  bool is_open = trial->is_open;

  __atomic_store_n (&trial->routine->calls_others, true, __ATOMIC_RELAXED);
  trial->is_open = false;
  profile_trial_fail (trial);
  if (is_open)
    lc_profile_enter (thread, trial->routine, 0);
}

/* --- Results ----------------------------------------------------------------------------------------------- */

/* Returns the mean of the second quarter. Windows with interruptions are longer, so they are not in it, as long as they
 * are less than half; such an interruption may also be the caller's work between two rows of calls. */
static int64_t
quarter_mean (int64_t *values, int n)
{
  int64_t sum = 0;

  lc_profile_median (values, n);
  for (int i = n / 4; i < n / 2; i++)
    sum += values[i];
  return sum * LC_PROFILE_PARTS / (n / 4);
}

/* Splits the cost into inside and outside in the same ratio as in the calibration. */
static void
profile_trial_set_cost (struct lc_profile_routine *routine)
{
  const struct lc_profile_cost *usual = &lc_profile_costs[routine->kind];
  int64_t all = usual->outside + usual->inside, cost = routine->found > 0 ? routine->found : 0;
  int64_t inside = all > 0 ? (int64_t)((double)cost * (double)usual->inside / (double)all) : cost / 2;

  routine->cost = (struct lc_profile_cost){cost - inside, inside};
}

void
lc_profile_trial_costs (void)
{
  for (struct lc_profile_routine *routine = lc_profile_routines (); routine != NULL; routine = routine->next)
    if (routine->n_found > 0)
      profile_trial_set_cost (routine);
    else
      routine->cost = lc_profile_costs[routine->kind];
}

/* Adds a full batch: finds the extra time of a measured call. A result far from the usual is noise. */
static void
add_batch (struct lc_profile_routine *routine)
{
  int64_t more =
      quarter_mean (routine->measured, 2 * LC_PROFILE_BATCH) - quarter_mean (routine->skipped, LC_PROFILE_BATCH);
  int64_t cost = more / WINDOW + lc_profile_skip_cost;
  int64_t usual = lc_profile_costs[routine->kind].outside + lc_profile_costs[routine->kind].inside;

  routine->n_batch = 0;
  if (usual > 0 && (cost < usual / 2 || cost > 4 * usual))
    return;
  routine->n_found++;
  routine->found += (cost - routine->found) / (int64_t)(routine->n_found < WEIGHTS ? routine->n_found : WEIGHTS);
  profile_trial_set_cost (routine);
}

static void
profile_trial_found (struct lc_profile_routine *routine, const int64_t lengths[2], int64_t last)
{
  /* Another thread adds its result now, which is enough for both. */
  if (__atomic_test_and_set (&routine->is_busy, __ATOMIC_ACQUIRE))
    return;
  routine->measured[2 * routine->n_batch] = lengths[0];
  routine->measured[2 * routine->n_batch + 1] = last;
  routine->skipped[routine->n_batch++] = lengths[1];
  if (routine->n_batch == LC_PROFILE_BATCH)
    add_batch (routine);
  __atomic_clear (&routine->is_busy, __ATOMIC_RELEASE);
}

/* --- Trials ------------------------------------------------------------------------------------------------ */

/* Ends the stretch: time until the next call does not belong to the window. */
static void
break_off (struct lc_profile_thread *thread, int64_t now)
{
  struct lc_profile_trial *trial = &thread->trial;

  trial->length += now - trial->since;
  trial->goes_on = false;
  if (trial->is_skipping)
    profile_trial_tell (thread, now);
  if (++trial->stretches > calls_in (trial->step) / STRETCH)
    profile_trial_fail (trial);
}

static void
next_window (struct lc_profile_trial *trial, int step)
{
  trial->step = step;
  trial->left = calls_in (step);
  trial->length = 0;
  trial->stretches = 0;
}

static void
profile_trial_end (struct lc_profile_thread *thread, int64_t now)
{
  struct lc_profile_trial *trial = &thread->trial;
  struct lc_profile_routine *routine = trial->routine;

  routine->n_failed = 0;
  profile_trial_found (routine, trial->lengths, trial->length);
  profile_trial_stop (trial, WINDOW << (routine->n_found < RARELY ? routine->n_found : RARELY));
  lc_compensation_add (&thread->self, lc_profile_now () - now);
}

/* Goes on to the next step, when its first call begins. */
static void
profile_trial_advance (struct lc_profile_thread *thread, int64_t now)
{
  struct lc_profile_trial *trial = &thread->trial;

  trial->length += now - trial->since;
  trial->since = now;
  if (trial->step == FIRST)
    {
      trial->own = trial->measured * LC_PROFILE_PARTS / WINDOW;
      trial->lengths[0] = trial->length;
      trial->is_skipping = true;
      trial->told = now;
      next_window (trial, CHANGE);
    }
  else if (trial->step == SECOND)
    {
      trial->lengths[1] = trial->length;
      trial->is_skipping = false;
      profile_trial_tell (thread, now);
      next_window (trial, BACK);
    }
  else if (trial->step == THIRD)
    profile_trial_end (thread, now);
  else
    next_window (trial, trial->step + 1);
}

bool
lc_profile_trial_enter (struct lc_profile_thread *thread, const void *key)
{
  struct lc_profile_trial *trial = &thread->trial;
  int64_t now;

  if (trial->key != key || trial->is_open || thread->active[trial->routine->id] > 0)
    {
      lc_profile_trial_other (thread);
      if (trial->key != NULL && ++trial->others > OTHERS)
        profile_trial_fail (trial);
      return false;
    }
  now = lc_profile_now ();
  if (!trial->goes_on)
    {
      trial->goes_on = true;
      trial->since = trial->told = now;
      trial->left--;
    }
  if (trial->left == 0)
    profile_trial_advance (thread, now);
  trial->is_open = trial->is_skipping;
  return trial->is_skipping;
}

void
lc_profile_trial_other (struct lc_profile_thread *thread)
{
  struct lc_profile_trial *trial = &thread->trial;
  bool is_inside = trial->is_open || thread->active[trial->routine->id] > 0;

  if (trial->goes_on)
    break_off (thread, lc_profile_now ());
  if (is_inside)
    profile_trial_give_up (thread);
}

void
lc_profile_trial_begin (struct lc_profile_thread *thread, struct lc_profile_routine *routine, const void *key)
{
  struct lc_profile_trial *trial = &thread->trial;

  if (!lc_profile_tries || routine->id == 0 || __atomic_load_n (&routine->calls_others, __ATOMIC_RELAXED) ||
      thread->active[routine->id] > 0 || thread->depth >= LC_PROFILE_DEPTH - 1)
    {
      profile_trial_stop (trial, WINDOW);
      return;
    }
  trial->routine = routine;
  trial->measured = 0;
  trial->skipped_calls = trial->others = 0;
  trial->is_open = trial->is_skipping = false;
  next_window (trial, FIRST);
  trial->goes_on = true;
  trial->since = lc_profile_now ();
  trial->key = key;
}
