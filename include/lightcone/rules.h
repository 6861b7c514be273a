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
  LC_RULES_ERROR_GROUP,   /* a group that is none of class, operation, arc, or has no name */
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
} LcClassRule;

typedef struct
{
  char *name;
  char *class_name;
  char *summary;
  gboolean waits;
  gboolean members; /* its value says how many events have its object and sequence number together */
} LcOperationRule;

typedef struct
{
  char *name;
  char *class_name;
  char *from;
  char *to;
  LcPoint from_point;
  int step; /* the sequence number at `to` less that at `from`: -1, 0 or 1 */
  LcArcKind kind;
  gboolean counted; /* the value of the event at `to` says how many events at `from` there are */
  gboolean once;    /* when an event at `to` has had it, nobody else needs it */
} LcArcRule;

typedef struct _LcRules LcRules;

/* The built-in rules. They are part of the program; a mistake in them is a mistake of ours and aborts. */
LcRules *lc_rules_new (void);

/* No rules at all. */
LcRules *lc_rules_new_empty (void);

void lc_rules_free (LcRules *rules);

/*
 * Adds a file, or all files *.rules of a directory in the order of their names. A group replaces one of the same name
 * that came before. Call lc_rules_check when all is read. The message of an error names file, group and key; the rules
 * are then to be thrown away.
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

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcRules, lc_rules_free)

G_END_DECLS

#endif
