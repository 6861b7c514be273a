/* SPDX-License-Identifier: Apache-2.0 */
/* Blame, or the call paths of a profile, as stacks with weights, for programs that draw flame graphs. */
#ifndef LC_CLI_FLAME_H
#define LC_CLI_FLAME_H

#include "lightcone/history.h"
#include "lightcone/profile.h"

typedef enum
{
  LC_FLAME_FOLDED,     /* a line for each stack: frames, separated by semicolons, and the weight */
  LC_FLAME_SPEEDSCOPE, /* speedscope's JSON */
} LcFlameFormat;

typedef enum
{
  LC_FLAME_BOTH,   /* the waiting stack from outside in, the object, and the blamed stack from inside out */
  LC_FLAME_WAITER, /* the waiting stack from outside in, and the object */
  LC_FLAME_BLAMED, /* the blamed stack from outside in, and the object */
} LcFlameEnds;

typedef struct
{
  LcFlameFormat format;
  LcFlameEnds ends;
  const char *const *skip; /* patterns of frames to leave out, as of LcSkippedSites; or NULL */
} LcFlameAsked;

/* Finds the format by the end of a file's name. FALSE: it is none of these. */
gboolean lc_flame_format_parse (const char *path, LcFlameFormat *format);

/* Gives the ends of names that have a format, ".folded, .speedscope.json". Free with g_free. */
char *lc_flame_dup_endings (void);

/* Gives the whole file: all waiting of a timeline, in nanoseconds. Outermost frames of libraries are left out. NULL
 * with LC_HISTORY_ERROR; a history that does not say where its events are has LC_HISTORY_ERROR_UNKNOWN. Free with
 * g_free. */
char *lc_flame_dup_text (LcHistory *history, guint32 timeline, const char *title, const LcFlameAsked *asked,
                         GError **error);

/* Gives the whole file: what each call path of a profile took itself, by the best way that the profile has, in
 * nanoseconds. Free with g_free. */
char *lc_flame_dup_profile (const LcProfile *profile, const char *title, LcFlameFormat format);

#endif
