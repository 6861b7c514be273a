/* SPDX-License-Identifier: Apache-2.0 */
/* A random execution in a folder of its own, its history, and the model of it. */
#ifndef CASE_H
#define CASE_H

#include "model.h"

typedef struct
{
  char *directory;
  guint n_processes;
  LcHistory *history;
  Model *model;
} Case;

void case_init (Case *at, guint32 seed, guint n_processes, guint n_steps);
void case_clear (Case *at);

/* Of the traces that are in the folder. */
void case_open (Case *at);

#endif
