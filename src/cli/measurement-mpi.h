/* SPDX-License-Identifier: Apache-2.0 */
/* Measures the costs of MPI's messages on this machine, and of recording MPI's operations. */
#ifndef LC_CLI_MEASUREMENT_MPI_H
#define LC_CLI_MEASUREMENT_MPI_H

#include "measurement.h"
#include "message-fit.h"

/* Messages of one size between ranks at one distance. */
typedef struct
{
  guint32 bytes, hops;
  LcSpread ns; /* from the begin of sending to the end of receiving, with copying in and out */
} LcMpiMessages;

typedef struct
{
  LcMeasurement *operations; /* their interface is "mpi" */
  GArray *messages;          /* LcMpiMessages, by hops and bytes */
  LcMessageFit fit;          /* the time of a message on its way, without copying */
  char *topology;            /* topology of the ranks, as trace.ini has it */
} LcMpiMeasurement;

/* Measures for some seconds. `topology` tells how the ranks are connected ("ring", "mesh:4x4"); NULL: no hops. */
LcMpiMeasurement *lc_mpi_measurement_new (const LcWorkloadPlan *plan, const char *topology, GError **error);
void lc_mpi_measurement_free (LcMpiMeasurement *measurement);

/* Gives the groups [overhead], [cost] and [communication], as trace.ini has them. */
GKeyFile *lc_mpi_measurement_to_key_file (const LcMpiMeasurement *measurement);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcMpiMeasurement, lc_mpi_measurement_free)

#endif
