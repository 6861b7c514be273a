/* SPDX-License-Identifier: Apache-2.0 */
/* The kinds of calls that an MPI program makes, decided in one place for all that show or count them. */
#ifndef LIGHTCONE_EXCHANGE_H
#define LIGHTCONE_EXCHANGE_H

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  LC_EXCHANGE_MESSAGE,    /* from one to another: sends, receives, probes, and what is put into another's memory */
  LC_EXCHANGE_COLLECTIVE, /* of all of a communicator, barriers too */
  LC_EXCHANGE_REQUEST,    /* waiting for, or testing, what was begun before */
} LcExchange;
#define LC_EXCHANGES 3
#define LC_EXCHANGE_NONE LC_EXCHANGES

/* The kind of call that an operation of this class and name is in an MPI program, or LC_EXCHANGE_NONE. Both may be
 * NULL. */
guint lc_exchange_of (const char *class_name, const char *operation);

G_END_DECLS

#endif
