/* SPDX-License-Identifier: Apache-2.0 */
/* MPI's functions that ask whether requests are over, or wait for some of them: as they come, or as a replay says. */
#ifndef LC_MPI_STEERED_COMPLETE_H
#define LC_MPI_STEERED_COMPLETE_H

#include "steer.h"

static inline int
lc_steered_test (struct lc_request *const known[], MPI_Request *request, int *flag, MPI_Status *status)
{
  const enum lc_steering steering = lc_steer_test (known, 1);

  if (steering == LC_STEER_FREE)
    return PMPI_Test (request, flag, status);
  *flag = steering == LC_STEER_YES;
  return *flag ? PMPI_Wait (request, status) : MPI_SUCCESS;
}

static inline int
lc_steered_test_all (struct lc_request *const known[], int n, MPI_Request requests[], int *flag, MPI_Status statuses[])
{
  const enum lc_steering steering = lc_steer_test (known, n);

  if (steering == LC_STEER_FREE)
    return PMPI_Testall (n, requests, flag, statuses);
  *flag = steering == LC_STEER_YES;
  return *flag ? PMPI_Waitall (n, requests, statuses) : MPI_SUCCESS;
}

static inline int
lc_steered_wait_any (struct lc_request *const known[], int n, MPI_Request requests[], int *place, MPI_Status *status)
{
  const int found = lc_steer_any (known, n, false);

  if (found < 0)
    return PMPI_Waitany (n, requests, place, status);
  *place = found;
  return PMPI_Wait (&requests[found], status);
}

static inline int
lc_steered_test_any (struct lc_request *const known[], int n, MPI_Request requests[], int *place, int *flag,
                     MPI_Status *status)
{
  const int found = lc_steer_any (known, n, true);

  if (found == LC_STEER_FREELY)
    return PMPI_Testany (n, requests, place, flag, status);
  *flag = found >= 0;
  if (!*flag)
    return MPI_SUCCESS;
  *place = found;
  return PMPI_Wait (&requests[found], status);
}

/* Waits for each of `n` requests at these places. The error of one is that of the call. */
static inline int
lc_steered_wait_each (int n, const int places[], MPI_Request requests[], MPI_Status statuses[])
{
  int result = MPI_SUCCESS;

  for (int i = 0; i < n && result == MPI_SUCCESS; i++)
    result = PMPI_Wait (&requests[places[i]], &statuses[i]);
  return result;
}

static inline int
lc_steered_wait_some (struct lc_request *const known[], int n, MPI_Request requests[], int *over, int places[],
                      MPI_Status statuses[])
{
  const int found = lc_steer_some (known, n, false, places);

  if (found < 0)
    return PMPI_Waitsome (n, requests, over, places, statuses);
  *over = found;
  return lc_steered_wait_each (found, places, requests, statuses);
}

static inline int
lc_steered_test_some (struct lc_request *const known[], int n, MPI_Request requests[], int *over, int places[],
                      MPI_Status statuses[])
{
  const int found = lc_steer_some (known, n, true, places);

  if (found == LC_STEER_FREELY)
    return PMPI_Testsome (n, requests, over, places, statuses);
  *over = found > 0 ? found : 0;
  return lc_steered_wait_each (*over, places, requests, statuses);
}

#endif
