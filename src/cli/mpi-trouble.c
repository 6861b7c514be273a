/* SPDX-License-Identifier: Apache-2.0 */
/* Tells why the calls of MPI were not recorded. */
#include "mpi-trouble.h"

#include <glib/gi18n.h>

#include "lightcone/control.h"

const char *
lc_mpi_trouble_why (guint32 trouble)
{
  static const struct
  {
    guint32 trouble;
    const char *reason;
  } reasons[] = {
      {LC_MPI_UNKNOWN, N_ ("this MPI is neither Open MPI nor MPICH")},
      {LC_MPI_NO_LIBRARY, N_ ("Lightcone's library for this MPI is not installed")},
      {LC_MPI_LINKER, N_ ("the program was started by way of the dynamic linker (--mpi helps)")},
      {LC_MPI_PRIVILEGED, N_ ("the program has more rights than who has started it")},
      {LC_MPI_NO_EXEC, N_ ("the program's file cannot be executed again (--mpi helps)")},
      {LC_MPI_NOT_LOADED, N_ ("Lightcone's library for this MPI could not be loaded into the program")},
      {LC_MPI_LATE, N_ ("the program has loaded MPI only while it ran (--mpi helps)")},
  };

  for (gsize i = 0; i < G_N_ELEMENTS (reasons); i++)
    if (trouble & reasons[i].trouble)
      return _ (reasons[i].reason);
  return _ ("the recorder does not say why");
}
