/* SPDX-License-Identifier: Apache-2.0 */
/* Rules: which operations exist, and which arcs they make. docs/rules.md describes the files. */
#ifndef LIGHTCONE_RULES_H
#define LIGHTCONE_RULES_H

#include <glib.h>

G_BEGIN_DECLS

#define LC_RULES_ERROR (lc_rules_error_quark ())
GQuark lc_rules_error_quark (void);

typedef enum
{
  LC_RULES_ERROR_GROUP,   /* a group that is none of class, operation, arc, work, phase, or has no name */
  LC_RULES_ERROR_KEY,     /* a key that the group does not have, or lacks */
  LC_RULES_ERROR_VALUE,   /* a value that the key cannot have */
  LC_RULES_ERROR_UNKNOWN, /* a class or an operation that is described nowhere */
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
  char *sequence; /* what its sequence numbers count, or NULL */
  char **holding; /* pairs of operations: the end of the first to the begin of the second; NULL-terminated, or NULL */
  gint64 first;   /* the least sequence number that an event can have that arcs come from */
  gboolean given; /* the first sequence numbers, as many as the object's value says, need no arc */
  gboolean taken; /* what nobody takes, of what was given to be taken, is told: no mistake, but odd */
} LcClassRule;

/* How an approximation finds the end of an event of an operation (docs/approximation.md). */
typedef enum
{
  LC_TIMING_LOCAL,    /* takes its own time; the default for what does not wait */
  LC_TIMING_RELEASE,  /* goes on some time after the last point that it had to come after; the default for what waits */
  LC_TIMING_START,    /* begins a process, some time after that was made */
  LC_TIMING_BARRIER,  /* after the last of its group; how the members leave is a parameter; the default of groups */
  LC_TIMING_TOGETHER, /* after the last of its group, as much later as was measured */
  LC_TIMING_MESSAGE,  /* when a message has come and is copied */
  LC_TIMING_PROBE,    /* when a message has come */
  LC_TIMING_RENDEZVOUS, /* when both are there and the message is over */
  LC_TIMING_COMPLETE,   /* as a message or a local operation, begun by an earlier event of its own process */
  LC_TIMING_FINISH,     /* as that, where messages go through a tree of processes */
  LC_TIMING_POLL,       /* asked in vain for what a later complete brings */
  LC_TIMING_TREE,       /* as a message, or the last of several, that goes through a tree of processes */
  LC_TIMING_PAUSE,      /* at once: nothing of the program's went on meanwhile */
} LcTiming;

/* Whether such an event ends what was begun before, or asks for what may be there already: not having to wait has a
 * cost of its own. */
static inline gboolean
lc_timing_completes (LcTiming timing)
{
  return timing == LC_TIMING_COMPLETE || timing == LC_TIMING_FINISH || timing == LC_TIMING_PROBE;
}

/* Whether messages are what such an event waits for. */
static inline gboolean
lc_timing_is_message (LcTiming timing)
{
  return timing == LC_TIMING_MESSAGE || timing == LC_TIMING_TREE || lc_timing_completes (timing);
}

/* What an operation begins that a later one of its process, object and sequence number completes. */
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
  gboolean members; /* its value says how many events have its object and sequence number together */
  LcTiming timing;
  LcPosts posts;
} LcOperationRule;

/* A number (0: any), or so much less than the value of an event says. */
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
  LcPoint from_point;
  int step; /* the sequence number at `to` less that at `from`: -1, 0 or 1 */
  LcArcKind kind;
  gboolean counted; /* the value of the event at `to` says how many events at `from` there are ... */
  gint64 less;      /* ... and how many fewer than that there are */
  gboolean keeps;   /* the event at `to` only looks at what the one at `from` has given, and takes nothing */
  LcHowMany uses;   /* how many events need the point at `from`, those of other arcs from it included */
  gboolean soft;    /* only to an event that says that it has waited (contended), and that ends after it */
  gboolean decided; /* whose turn it is was decided by who came first: another order is possible as well */
  guint place;      /* among all arcs in the order in which they were read: the first of alternatives stands for all */
} LcArcRule;

/* Who hands out work: whoever carries out `operation` on such an object takes what comes next, whichever process it is.
 */
typedef struct
{
  char *name;
  char *class_name;
  char *operation; /* the work begins after its end, and lasts up to the next event with the object */
  char *object;    /* a pattern (* and ?) for the object's name, as lc_trace_dup_object_name has it */
} LcWorkRule;

/* Which number the phase has that an event begins. */
typedef enum
{
  LC_PHASE_SEQUENCE, /* the event's sequence number */
  LC_PHASE_VALUE,    /* its value */
  LC_PHASE_COUNT,    /* it is the n-th such event of its process, from 1 on */
} LcPhaseNumber;

/* What begins a phase of the program. */
typedef struct
{
  char *name;
  char *class_name;
  char *summary;
  char *operation; /* NULL: all of the class */
  char *object;    /* a pattern (* and ?) for the object's name; NULL: whatever it is done to */
  LcPhaseNumber number;
  LcPoint point; /* begin: the event is in the phase; end: only what comes after it */
} LcPhaseRule;

typedef struct _LcRules LcRules;

/* The built-in rules. They are part of the program; a mistake in them is a mistake of ours and aborts. */
LcRules *lc_rules_new (void);

/* No rules at all. */
LcRules *lc_rules_new_empty (void);

void lc_rules_free (LcRules *rules);

/*
 * Adds a file, or all files *.rules of a directory in the order of their names. A group replaces one of the same name
 * that came before. Call lc_rules_check when all is read. The message of an error names file, group and key; the rules
 * are then to be thrown away. Only regular files of at most 1 MiB are read; links are not followed to or in a
 * directory.
 */
gboolean lc_rules_load (LcRules *rules, const char *path, GError **error);
gboolean lc_rules_load_directory (LcRules *rules, const char *path, GError **error);

/* Whether all that the groups refer to is there and fits. */
gboolean lc_rules_check (const LcRules *rules, GError **error);

/* NULL: there is none of this name. */
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
