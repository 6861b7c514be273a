/* SPDX-License-Identifier: Apache-2.0 */
/* Stands for the library that records MPI's calls: says which it is. */
const char *fake_mpi_recorder (void);

const char *
fake_mpi_recorder (void)
{
  return FAKE_NAME;
}
