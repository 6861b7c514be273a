/* SPDX-License-Identifier: Apache-2.0 */
/* What tells an MPI library that the recorder knows (or does not) from others, and nothing more. */
#ifdef FAKE_OPENMPI
int ompi_mpi_comm_world;
#endif
#ifdef FAKE_MPICH
int MPIR_Dup_fn;
#endif

/* So that a program can be linked with it. */
int fake_mpi (void);

int
fake_mpi (void)
{
  return 4711;
}
