/* SPDX-License-Identifier: Apache-2.0 */
/* Links of tables: the event, or the first one of a process or an object, or a time, is brought into view. */
#ifndef LC_APP_TABLE_LINK_H
#define LC_APP_TABLE_LINK_H

#include "app/tables/table-source.h"

/* Selects and shows what the link leads to; tells the user if it is not there. */
void lc_table_link_follow (LcSession *session, const LcTarget *link);

/* Brings a point of time to the middle of what is in view, which stays as wide as it is. */
void lc_table_link_show_time (LcSession *session, guint64 time);

#endif
