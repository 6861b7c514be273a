/* SPDX-License-Identifier: Apache-2.0 */
/* What rounds of bare, reference and recorded runs say of an approximation, and the output of `lightcone validate`. */
#ifndef LC_CLI_VALIDATION_H
#define LC_CLI_VALIDATION_H

#include "lightcone/approximate.h"
#include "lightcone/lengths.h"
#include "turns.h"

typedef struct _LcValidation LcValidation;

/* All belong to the caller. */
typedef struct
{
  char **command;
  const char *part; /* as lc_lengths_find has it, or NULL */
  const LcModel *models;
  guint n_models;
} LcValidationPlan;

LcValidation *lc_validation_new (const LcValidationPlan *plan);
void lc_validation_free (LcValidation *validation);

/* Begins a round, with how long its three runs took. */
void lc_validation_begin_round (LcValidation *validation, const LcTurn turns[LC_TURN_KINDS]);

/* Takes the lengths of the round's reference, and its whole run; of the recorded run, and of that as approximated by
 * each model. */
void lc_validation_take_reference (LcValidation *validation, const LcLengths *lengths, guint64 run);
void lc_validation_take_measured (LcValidation *validation, const LcLengths *lengths, guint64 events);
void lc_validation_take_approximated (LcValidation *validation, guint model, const LcLengths *lengths,
                                      const LcApproximation *approximation);

/* How many rounds nothing disturbed. */
guint lc_validation_count_undisturbed (const LcValidation *validation);

void lc_validation_show (LcValidation *validation, gsize limit, gboolean json);

/* By how much the first model's median is off, as a share of the reference. */
double lc_validation_get_error (LcValidation *validation);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcValidation, lc_validation_free)

#endif
