/* SPDX-License-Identifier: Apache-2.0 */
/* What MPI's messages take on this machine, and what recording MPI's operations costs. */
#ifndef LC_CLI_MEASUREMENT_MPI_H
#define LC_CLI_MEASUREMENT_MPI_H

#include "measurement.h"
#include "message-fit.h"

/* Messages of one size, between ranks that are so many hops apart. */
typedef struct
{
  guint32 bytes, hops;
  LcSpread ns; /* from the begin of the sending to the end of the receiving; copying in and out included */
} LcMpiMessages;

typedef struct
{
  LcMeasurement *operations; /* their interface is "mpi" */
  GArray *messages;          /* LcMpiMessages, by hops and bytes */
  LcMessageFit fit;          /* of what a message takes on its way: without the copying */
  char *topology;            /* of the ranks, as trace.ini has it */
} LcMpiMeasurement;

/* Takes some seconds. `topology`: how the ranks are connected ("ring", "mesh:4x4"), or NULL: no hops. */
LcMpiMeasurement *lc_mpi_measurement_new (const LcWorkloadPlan *plan, const char *topology, GError **error);
void lc_mpi_measurement_free (LcMpiMeasurement *measurement);

/* The groups [overhead], [cost] and [communication], as trace.ini has them. */
GKeyFile *lc_mpi_measurement_to_key_file (const LcMpiMeasurement *measurement);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcMpiMeasurement, lc_mpi_measurement_free)

#endif
