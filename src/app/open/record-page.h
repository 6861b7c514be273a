/* SPDX-License-Identifier: Apache-2.0 */
/* The page that records a program: a form, and then the program's output. */
#ifndef LC_APP_RECORD_PAGE_H
#define LC_APP_RECORD_PAGE_H

#include <adwaita.h>

/*
 * The page emits, each with the directory of the trace,
 *
 *   begun (LcRecordPage *, const char *)     the program runs: its trace can be followed
 *   ended (LcRecordPage *, const char *)     it does not run any more: `recorded` or `failed` follows
 *   failed (LcRecordPage *, const char *)    the page says how it ended
 *   recorded (LcRecordPage *, const char *)  the trace is to be opened, or shown again
 */
#define LC_TYPE_RECORD_PAGE (lc_record_page_get_type ())
G_DECLARE_FINAL_TYPE (LcRecordPage, lc_record_page, LC, RECORD_PAGE, AdwBin)

GtkWidget *lc_record_page_new (void);

gboolean lc_record_page_is_running (LcRecordPage *page);

/* Asks the running program to end. FALSE: it was asked before. */
gboolean lc_record_page_stop (LcRecordPage *page);

/* The run can be seen while it goes on. */
void lc_record_page_offer_run (LcRecordPage *page);

#endif
