/* SPDX-License-Identifier: Apache-2.0 */
/* Who may write to a trace directory while its program runs. */
#ifndef LC_CLI_ACCESS_H
#define LC_CLI_ACCESS_H

/*
 * A program that root starts may go on as another user (as daemons do), and its threads and children then make
 * their streams as that user. So while root records, everybody may add files to the trace, and, as the folders are
 * sticky, nobody may remove or rename those of others. When the recording has ended, only root may.
 */
void lc_access_open (const char *directory);
void lc_access_close (const char *directory);

#endif
