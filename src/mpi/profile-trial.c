/* SPDX-License-Identifier: Apache-2.0 */
/* Profiled: what measuring a call costs where it is made, found out while the program runs. */
#include "profile.h"

/*
 * Now and then there is a trial: some calls of a function that calls nothing itself are not measured. A trial is three
 * windows of so many calls each: measured, skipped, measured. What the first and the last take longer than the one
 * between them is what the measurement takes, as far as it is not done beside what this function and its caller do.
 * Windows begin well after the change, for the processor's predictions of branches depend on the instructions before
 * them, those of the measurement included, and have to be learned anew after it: until then a skipped call takes
 * longer than one in a program that is not measured, here by a tenth.
 *
 * Only what goes on from one call to the next is counted: a stretch ends when another function is entered, or left, or
 * MPI is called. A skipped call is counted, and told to have lasted as long as one of the first window without its
 * measurement.
 */
enum step
{
  FIRST,  /* window, measured */
  CHANGE, /* calls after it, skipped */
  SECOND, /* window, skipped */
  BACK,   /* calls after it, measured */
  THIRD,  /* window, measured */
};

enum
{
  WINDOW = 512,   /* calls */
  LEARNED = 1024, /* calls after a change */
  STRETCH = 8,    /* calls, at least, in the mean of a window */
  OTHERS = 4096,  /* calls of other functions in a trial, at most */
  RARELY = 7,     /* trials become half as frequent so many times, until about 1.5% of the calls are skipped */
  WEIGHTS = 8,    /* of a batch, the least: 1 of so many */
};

bool lc_profile_tries;
int64_t lc_profile_skip_cost;

static uint32_t
calls_in (int step)
{
  return step == CHANGE || step == BACK ? LEARNED : WINDOW;
}

/* Until the next one. */
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

/* They become part of the profile. */
static void
profile_trial_tell (struct lc_profile_thread *thread, int64_t now)
{
  struct lc_profile_trial *trial = &thread->trial;
  struct lc_profile_times *times = &thread->times[trial->routine->id];
  int64_t spent = (int64_t)trial->skipped_calls * trial->own / LC_PROFILE_PARTS;

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

/* The routine does not only call nothing: what goes by without being measured is measured from now on. */
static void
profile_trial_give_up (struct lc_profile_thread *thread)
{
  struct lc_profile_trial *trial = &thread->trial;
  bool is_open = trial->is_open;

  __atomic_store_n (&trial->routine->calls_others, true, __ATOMIC_RELAXED);
  trial->is_open = false;
  profile_trial_fail (trial);
  if (is_open)
    lc_profile_enter (thread, trial->routine);
}

/* --- What has been found ----------------------------------------------------------------------------------- */

/* Of their second quarter: no window of it is one in which something came between, be it the caller's work between two
   rows of calls, as long as that are less than half of all. */
static int64_t
quarter_mean (int64_t *values, int n)
{
  int64_t sum = 0;

  lc_profile_median (values, n);
  for (int i = n / 4; i < n / 2; i++)
    sum += values[i];
  return sum * LC_PROFILE_PARTS / (n / 4);
}

/* Of it, its own stamps see as much as they do in the calibration. */
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

/* All of this batch: what a call takes longer if it is measured. What is far from the usual is nothing but noise. */
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
  /* Another thread is here now: it has found enough for both. */
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

/* What is between two calls does not belong to the window. */
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

/* A call begins that is the first one of the next step. */
static void
profile_trial_advance (struct lc_profile_thread *thread, int64_t now)
{
  struct lc_profile_trial *trial = &thread->trial;
  int64_t local = thread->times[trial->routine->id].inclusive[LC_PROFILE_LOCAL];

  trial->length += now - trial->since;
  trial->since = now;
  if (trial->step == FIRST)
    {
      trial->own = (local - trial->own) * LC_PROFILE_PARTS / WINDOW;
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

  if (trial->key != key || trial->is_open || thread->times[trial->routine->id].active > 0)
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
  bool is_inside = trial->is_open || thread->times[trial->routine->id].active > 0;

  if (trial->goes_on)
    break_off (thread, lc_profile_now ());
  if (is_inside)
    profile_trial_give_up (thread);
}

void
lc_profile_trial_begin (struct lc_profile_thread *thread, struct lc_profile_routine *routine, const void *key)
{
  struct lc_profile_trial *trial = &thread->trial;
  const struct lc_profile_times *times = &thread->times[routine->id];

  if (!lc_profile_tries || routine->id == 0 || __atomic_load_n (&routine->calls_others, __ATOMIC_RELAXED) ||
      times->active > 0 || thread->depth >= LC_PROFILE_DEPTH - 1)
    {
      profile_trial_stop (trial, WINDOW);
      return;
    }
  trial->routine = routine;
  trial->own = times->inclusive[LC_PROFILE_LOCAL];
  trial->skipped_calls = trial->others = 0;
  trial->is_open = trial->is_skipping = false;
  next_window (trial, FIRST);
  trial->goes_on = true;
  trial->since = lc_profile_now ();
  trial->key = key;
}
