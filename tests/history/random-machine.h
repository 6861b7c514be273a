/* SPDX-License-Identifier: Apache-2.0 */
/* Random runs of processes that share locks, on a machine that has fewer processors than they need: written as text
 * traces with all that its scheduler did. */
#ifndef RANDOM_MACHINE_H
#define RANDOM_MACHINE_H

#include <glib.h>

typedef struct
{
  guint n_processes;
  guint n_processors;
  GPtrArray *texts;   /* of each process */
  GArray *running;    /* guint: how many processes had a processor, for each ns */
  guint64 *scheduled; /* for each process, how many ns it had one */
} RandomMachine;

RandomMachine *random_machine_new (guint32 seed, guint n_processes, guint n_processors);
void random_machine_free (RandomMachine *machine);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RandomMachine, random_machine_free)

#endif
