/* SPDX-License-Identifier: Apache-2.0 */
/* The entries of the filter lists: operations, objects and marks, each with its events and its time. */
#ifndef LC_APP_FILTER_ENTRY_H
#define LC_APP_FILTER_ENTRY_H

#include "app/job.h"
#include "app/session/shown.h"

typedef struct
{
  guint32 id;       /* number of an operation, object or region; LC_TRACE_NONE for headings and tags */
  gint64 value;     /* of a tag */
  gboolean fixed;   /* the entry cannot be ticked */
  gboolean heading; /* the entry is the heading of the entries with the same group */
  guint32 group;
  char *name;
  char *detail; /* or NULL */
  char *folded; /* casefolded texts for searching */
  char *key;    /* collation key of the name, which sorts numbers by value */
  guint64 time; /* ns waited or taken */
  guint64 events;

  /* The stretch that activating the entry leads to, as ordinals of a process; process LC_TRACE_NONE: none. */
  guint32 process;
  guint64 first;
  guint64 last;
  char *search; /* search text that finds the entry's events, or NULL */
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
  LC_FILTER_SORT_DETAIL, /* and by time within the same detail */
} LcFilterSort;

/* The kind of a list, with its texts and callbacks. */
typedef struct
{
  const char *title;       /* to be translated, like all texts here */
  const char *placeholder; /* of the search entry; NULL: the list has none */
  const char *explanation; /* or NULL */
  const char *nothing;     /* shown when there are no entries */
  const char *tick;        /* label of the tick for screen readers, with the name as %s */
  const char *time_title;
  LcFilterSort sort; /* initial order */

  /* Called in a thread: returns all entries as LcFilterEntry in a new array that frees them. */
  GPtrArray *(*collect) (LcShown *shown, LcJobPermille *done, GCancellable *cancellable, GError **error);

  /* Reads the LcFilterState of all entries but headings from the shown choices; NULL: entries cannot be ticked. */
  void (*read) (const LcShown *shown, const GPtrArray *entries, guint8 *states);

  /* Writes the states into the shown choices; NULL: entries cannot be ticked. */
  void (*write) (LcShown *shown, const GPtrArray *entries, const guint8 *states);
} LcFilterKind;

extern const LcFilterKind lc_filter_operations;
extern const LcFilterKind lc_filter_objects;
extern const LcFilterKind lc_filter_marks;

/* Returns the numbers of the entries that contain a casefolded text (NULL: all), sorted, as guint32 in a new array. */
GArray *lc_filter_entries_find (const GPtrArray *entries, const char *folded, LcFilterSort sort);

#endif
