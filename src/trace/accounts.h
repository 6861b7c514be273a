/* SPDX-License-Identifier: Apache-2.0 */
/* What the kernel says of threads that may be killed: asked from outside while they live. */
#ifndef LC_TRACE_ACCOUNTS_H
#define LC_TRACE_ACCOUNTS_H

#include "folder.h"
#include "lightcone/control.h"

typedef struct _LcAccounts LcAccounts;

LcAccounts *lc_accounts_new (enum lc_clock clock);
void lc_accounts_free (LcAccounts *accounts);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcAccounts, lc_accounts_free)

/* Asks now and then about some of the threads that write in these places, in turn. */
void lc_accounts_ask (LcAccounts *accounts, const guint8 *memory, guint32 places, const struct lc_control *control);

/* Notes that the process `pid`, which was started by this one, has just ended. From any thread. */
void lc_accounts_end_program (LcAccounts *accounts, guint32 pid);

/* Makes the account of a thread that is gone, and of which this is the last packet. */
void lc_accounts_close (LcAccounts *accounts, const struct lc_packet *packet);

/* Adds all accounts that were made to the files of objects, which nobody else writes to any more. FALSE: errno. */
gboolean lc_accounts_write (LcAccounts *accounts, const LcFolder *folder);

#endif
