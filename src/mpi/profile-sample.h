/* SPDX-License-Identifier: Apache-2.0 */
/* A function as a profiled program has them. */
#ifndef LC_MPI_PROFILE_SAMPLE_H
#define LC_MPI_PROFILE_SAMPLE_H

void lc_profile_sample (void);

#endif
