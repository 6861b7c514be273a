/* SPDX-License-Identifier: Apache-2.0 */
/* The page that records a program: a form, and then the program's output. */
#ifndef LC_APP_RECORD_PAGE_H
#define LC_APP_RECORD_PAGE_H

#include <adwaita.h>

/*
 * The page emits recorded (LcRecordPage *, const char *directory) when a trace is to be opened.
 */
#define LC_TYPE_RECORD_PAGE (lc_record_page_get_type ())
G_DECLARE_FINAL_TYPE (LcRecordPage, lc_record_page, LC, RECORD_PAGE, AdwBin)

GtkWidget *lc_record_page_new (void);

gboolean lc_record_page_is_running (LcRecordPage *page);

#endif
