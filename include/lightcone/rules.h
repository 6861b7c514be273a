/* SPDX-License-Identifier: Apache-2.0 */
/* Rules: the operations that exist, and the arcs between them. docs/rules.md describes the files. */
#ifndef LIGHTCONE_RULES_H
#define LIGHTCONE_RULES_H

#include <glib.h>

G_BEGIN_DECLS

#define LC_RULES_ERROR (lc_rules_error_quark ())
GQuark lc_rules_error_quark (void);

typedef enum
{
  LC_RULES_ERROR_GROUP,   /* a group without a name, or not a class, operation, arc, work or phase */
  LC_RULES_ERROR_KEY,     /* a key that the group does not have, or a key that is missing */
  LC_RULES_ERROR_VALUE,   /* a value that the key cannot have */
  LC_RULES_ERROR_UNKNOWN, /* a class or operation that is not described */
} LcRulesError;

typedef enum
{
  LC_POINT_BEGIN,
  LC_POINT_END,
} LcPoint;

typedef enum
{
  LC_ARC_DATA,
  LC_ARC_ORDER,
} LcArcKind;

/* Everything below belongs to its LcRules. */
typedef struct
{
  char *name;
  char *summary;
  char *sequence; /* what the sequence numbers count, or NULL */
  char **holding; /* pairs of operations: the end of the first to the begin of the second; NULL-terminated, or NULL */
  gint64 first;   /* the least sequence number of an event at which arcs may begin */
  gboolean given; /* the first sequence numbers need no arc: as many as the object's value says */
  gboolean taken; /* things given that nobody takes are reported: odd, but no mistake */
} LcClassRule;

/* How an approximation finds the end of an operation's event (docs/approximation.md). */
typedef enum
{
  LC_TIMING_LOCAL,    /* takes its own time; the default for operations that do not wait */
  LC_TIMING_RELEASE,  /* goes on some time after the last point that it waited for; the default of waiting operations */
  LC_TIMING_START,    /* begins a process, some time after the process was created */
  LC_TIMING_BARRIER,  /* after the last of its group; how the members leave is a parameter; the default of groups */
  LC_TIMING_TOGETHER, /* after the last of its group, with the measured delay */
  LC_TIMING_MESSAGE,  /* after a message has come and is copied */
  LC_TIMING_PROBE,    /* after a message has come */
  LC_TIMING_RENDEZVOUS, /* after both sides have come and the message is over */
  LC_TIMING_COMPLETE,   /* as MESSAGE or LOCAL, for an earlier event of its own process */
  LC_TIMING_FINISH,     /* as COMPLETE, where messages go through a tree of processes */
  LC_TIMING_POLL,       /* asked in vain for something that a later COMPLETE brings */
  LC_TIMING_TREE,       /* as MESSAGE, for one or several messages through a tree of processes */
  LC_TIMING_PAUSE,      /* at once: nothing of the program went on meanwhile */
} LcTiming;

/* Whether an event with this timing ends something begun earlier, or asks for something that may be there already. Not
 * having to wait then has its own cost. */
static inline gboolean
lc_timing_completes (LcTiming timing)
{
  return timing == LC_TIMING_COMPLETE || timing == LC_TIMING_FINISH || timing == LC_TIMING_PROBE;
}

/* Whether an event with this timing waits for messages. */
static inline gboolean
lc_timing_is_message (LcTiming timing)
{
  return timing == LC_TIMING_MESSAGE || timing == LC_TIMING_TREE || lc_timing_completes (timing);
}

/* The kind of operation that an event begins, for a later event of its process, object and sequence number to
 * complete. */
typedef enum
{
  LC_POSTS_NOTHING,
  LC_POSTS_SEND,
  LC_POSTS_RECEIVE,
} LcPosts;

typedef struct
{
  char *name;
  char *class_name;
  char *summary;
  gboolean waits;
  gboolean members; /* its value is the number of events with its object and sequence number */
  LcTiming timing;
  LcPosts posts;
} LcOperationRule;

/* A number: a constant (0: any), or the value of an event minus `number`. */
typedef struct
{
  gboolean by_value;
  gint64 number;
} LcHowMany;

typedef struct
{
  char *name;
  char *class_name;
  char *from;
  char *to;
  char *to_class; /* NULL: as that of `from` */
  LcPoint from_point;
  int step; /* sequence number at `to` minus the one at `from`: -1, 0 or 1 */
  LcArcKind kind;
  gboolean counted; /* the number of events at `from` is the value of the event at `to` ... */
  gint64 less;      /* ... minus this */
  gboolean keeps;   /* the event at `to` only looks at the thing given at `from`, and does not take it */
  LcHowMany uses;   /* number of events that need the point at `from`, with those of other arcs from it */
  gboolean soft;    /* only if the event at `to` says that it waited (contended), and ends after the point */
  gboolean decided; /* the order was decided by arrival: another one is possible as well */
  guint place;      /* in the order of reading all arcs: the first of alternatives stands for all */
} LcArcRule;

/* Work that is handed out: any process that carries out `operation` on such an object takes the next piece. */
typedef struct
{
  char *name;
  char *class_name;
  char *operation; /* the work is from its end up to the next event with the object */
  char *object;    /* a pattern (* and ?) for the object's name (lc_trace_dup_object_name) */
} LcWorkRule;

/* The source of a phase's number. */
typedef enum
{
  LC_PHASE_SEQUENCE, /* the event's sequence number */
  LC_PHASE_VALUE,    /* its value */
  LC_PHASE_COUNT,    /* n for the n-th such event of its process, from 1 on */
} LcPhaseNumber;

/* The events that begin a phase of the program. */
typedef struct
{
  char *name;
  char *class_name;
  char *summary;
  char *operation; /* NULL: all operations of the class */
  char *object;    /* a pattern (* and ?) for the object's name; NULL: all objects */
  LcPhaseNumber number;
  LcPoint point; /* begin: the event is in the phase; end: only the events after it */
} LcPhaseRule;

typedef struct _LcRules LcRules;

/* The built-in rules. They are part of the program; a mistake in them is a mistake of ours and aborts. */
LcRules *lc_rules_new (void);

/* Makes an empty set of rules. */
LcRules *lc_rules_new_empty (void);

void lc_rules_free (LcRules *rules);

/* A file of rules as it is to be: another text than the file has, or none at all. */
typedef struct
{
  const char *folder;
  const char *name; /* in the folder, with .rules */
  const char *text; /* NULL: as if there were no such file */
} LcRulesFile;

/*
 * Adds a file, or all files *.rules of a directory, which need not exist, in the order of their names. A group replaces
 * an earlier one of the same name. Call lc_rules_check after the last file. The message of an error names file, group
 * and key; the rules are then not to be used. Only regular files of at most 1 MiB are read; links are not followed to
 * or in a directory. `instead` (or NULL) takes the place of a file of the directory.
 */
gboolean lc_rules_load (LcRules *rules, const char *path, GError **error);
gboolean lc_rules_load_directory (LcRules *rules, const char *path, const LcRulesFile *instead, GError **error);

/* Whether everything that the groups refer to exists and fits. */
gboolean lc_rules_check (const LcRules *rules, GError **error);

/* NULL if there is no rule of this name. */
const LcClassRule *lc_rules_get_class (const LcRules *rules, const char *name);
const LcOperationRule *lc_rules_get_operation (const LcRules *rules, const char *name);

/* In the order of their names; elements are const LcArcRule *. Borrowed. */
const GPtrArray *lc_rules_get_arcs (const LcRules *rules);
const GPtrArray *lc_rules_get_operations (const LcRules *rules);
const GPtrArray *lc_rules_get_classes (const LcRules *rules);
const GPtrArray *lc_rules_get_works (const LcRules *rules);  /* const LcWorkRule */
const GPtrArray *lc_rules_get_phases (const LcRules *rules); /* const LcPhaseRule */

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcRules, lc_rules_free)

G_END_DECLS

#endif
