/* SPDX-License-Identifier: Apache-2.0 */
/* What can be filtered by: an operation, an object, a mark, each with what it amounts to. */
#ifndef LC_APP_FILTER_ENTRY_H
#define LC_APP_FILTER_ENTRY_H

#include "app/job.h"
#include "app/session/shown.h"

typedef struct
{
  guint32 id;       /* operation, object, region; of a heading, a tag: none */
  gint64 value;     /* of a tag */
  gboolean fixed;   /* it cannot be ticked */
  gboolean heading; /* of those that follow with the same group */
  guint32 group;
  char *name;
  char *detail; /* or NULL */
  char *folded; /* to be looked through */
  char *key;    /* compares as people count */
  guint64 time; /* ns, waited or taken */
  guint64 events;

  /* Where it leads to: from one event to another; process LC_TRACE_NONE: nowhere. */
  guint32 process;
  guint64 first;
  guint64 last;
  char *search; /* what finds its events, or NULL */
} LcFilterEntry;

/* Copies the texts. */
LcFilterEntry *lc_filter_entry_new (guint32 id, const char *name, const char *detail);
void lc_filter_entry_free (LcFilterEntry *entry);

typedef enum
{
  LC_FILTER_OFF,
  LC_FILTER_ON,
  LC_FILTER_PARTLY, /* some of a heading's entries are on */
} LcFilterState;

typedef enum
{
  LC_FILTER_SORT_NONE,
  LC_FILTER_SORT_TIME, /* longest first */
  LC_FILTER_SORT_EVENTS,
  LC_FILTER_SORT_NAME,
  LC_FILTER_SORT_DETAIL, /* and by time within the same */
} LcFilterSort;

/* A kind of entries. */
typedef struct
{
  const char *title;       /* to be translated, as all texts */
  const char *placeholder; /* of the text that is looked for; NULL: it is not */
  const char *explanation; /* or NULL */
  const char *nothing;     /* there are no entries */
  const char *tick;        /* what a tick does, with the name as %s */
  const char *time_title;
  LcFilterSort sort; /* at first */

  /* In a thread: LcFilterEntry in a new array that frees them, all of them. */
  GPtrArray *(*collect) (LcShown *shown, LcJobPermille *done, GCancellable *cancellable, GError **error);

  /* How they are in what is shown, LcFilterState for each but headings; NULL: they cannot be ticked. */
  void (*read) (const LcShown *shown, const GPtrArray *entries, guint8 *states);

  /* And the other way. */
  void (*write) (LcShown *shown, const GPtrArray *entries, const guint8 *states);
} LcFilterKind;

extern const LcFilterKind lc_filter_operations;
extern const LcFilterKind lc_filter_objects;
extern const LcFilterKind lc_filter_marks;

/* The numbers of those that fit a text (folded; NULL: all), sorted, as guint32 in a new array. */
GArray *lc_filter_entries_find (const GPtrArray *entries, const char *folded, LcFilterSort sort);

#endif
