/* SPDX-License-Identifier: Apache-2.0 */
/* The subjects of a what-if: those that an event has, and a menu for the row of a list. */
#ifndef LC_APP_WHAT_IF_SUBJECT_H
#define LC_APP_WHAT_IF_SUBJECT_H

#include <gtk/gtk.h>

#include "app/session/session.h"
#include "lightcone/approximate.h"

/* Something that may take another time. */
typedef struct
{
  LcScaleKind kind;
  guint32 id;  /* operation, object or process */
  char *name;  /* shown */
  char *place; /* for LC_SCALE_PLACE, and for what a user types: a text for lc_scale_parse; else NULL */
} LcWhatIfSubject;

LcWhatIfSubject *lc_what_if_subject_new (LcScaleKind kind, guint32 id, const char *name, const char *place);
void lc_what_if_subject_free (gpointer subject);

/* Gives "Operation await". Free with g_free. */
char *lc_what_if_subject_dup_title (const LcWhatIfSubject *subject);

/* The subject as the target of win.what-if, "(uuss)". Floating. */
GVariant *lc_what_if_subject_pack (LcScaleKind kind, guint32 id, const char *name, const char *place);
LcWhatIfSubject *lc_what_if_subject_unpack (GVariant *target);

/* Lists what the event has that may take another time: its operation, object, line and process. */
GPtrArray *lc_what_if_list_subjects (LcHistory *history, const LcHistoryEvent *event);

/* Opens a menu at a point of a widget that asks what if its subject took another time. Consumes the target. */
void lc_what_if_pop_up (GtkWidget *widget, double x, double y, GVariant *target);

#endif
