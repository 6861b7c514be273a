/* SPDX-License-Identifier: Apache-2.0 */
/* The options of views: on a command line, in words, in a state that is kept, and which views ignore them. */
#ifndef LC_DRAW_VIEW_OPTIONS_H
#define LC_DRAW_VIEW_OPTIONS_H

#include "draw/filters/filter-options.h"
#include "lightcone/picture.h"

/* The parts of a picture that options choose, in the order in which a picture tells of them. */
typedef enum
{
  LC_OPTION_TIMELINES,
  LC_OPTION_TIME,
  LC_OPTION_SPAN,
  LC_OPTION_ROWS,
  LC_OPTION_PHASES,
  LC_OPTION_FILTERS,
  LC_OPTION_HIGHLIGHT,
  LC_OPTION_COLORING,
  LC_OPTION_BOUNDS,
  LC_OPTION_AMOUNTS,
  LC_OPTION_HIDDEN, /* a picture tells nothing of this part, nor of those below */
  LC_OPTION_MARKS,
  LC_OPTION_ORIENTATION,
  LC_OPTION_LOOK,
  LC_OPTION_PARTS,
} LcOptionPart;

/* Options of a picture that own what they point at. */
typedef struct
{
  const char *command;      /* that errors tell of */
  LcHistory *history;       /* NULL: only options that need none are read */
  LcPictureOptions options; /* lc_option_values_clear clears its selection */
  const char *from;         /* the words of the part of the run, which are borrowed */
  const char *to;
  guint32 *timelines;
  LcMarks *marks;
  char **hidden_marks;
  GStringChunk *texts;
} LcOptionValues;

/* The things that a text on an option is made of, besides the options. */
typedef struct
{
  LcNames *names;
  guint most;               /* names of one filter */
  const LcPicture *picture; /* NULL: choices that are no picture; only filters and what is hidden is said of them */
} LcOptionTelling;

/* The command that makes a picture, so far. */
typedef struct
{
  LcHistory *history;
  const LcPictureOptions *options;
  guint traits; /* of the view */
  LcOptionWords words;
  GCancellable *cancellable;
} LcOptionCommand;

typedef struct _LcViewOption LcViewOption;

/* The place where values are kept. */
typedef struct
{
  LcHistory *history;
  GKeyFile *file;
  const char *group;
} LcOptionState;

/* A way in which values of options are written and read. */
typedef struct
{
  gboolean needs_history; /* to be read */
  gboolean is_flag;       /* it is kept as one */

  /* Sets the value as the words after the option tell; a flag has none. FALSE with an error: G_OPTION_ERROR if the
   * words are wrong. */
  gboolean (*read) (const LcViewOption *option, LcOptionValues *values, const char *const *words, GError **error);

  /* Gives the value as such a word; NULL: there is nothing to say. `command` is NULL if the word is to be kept, which
   * the usual value is, too. */
  char *(*dup_word) (const LcViewOption *option, const LcPictureOptions *options, LcOptionCommand *command);

  /* All else is made of these two, unless a kind has its own way. Values are kept by names, so that they fit a history
   * that was merged again. What was kept and fits nothing changes nothing, or is as nobody chose it. */
  gboolean (*say) (const LcViewOption *option, LcOptionCommand *command, GError **error);
  void (*save) (const LcViewOption *option, const LcPictureOptions *options, const LcOptionState *state);
  void (*load) (const LcViewOption *option, LcOptionValues *values, const LcOptionState *state);
  gboolean (*equal) (const LcViewOption *option, const LcPictureOptions *a, const LcPictureOptions *b,
                     LcHistory *history);
} LcOptionKind;

/* Gives the text of a picture on an option, in the user's language; NULL: it has none. */
typedef char *LcOptionDupText (const LcViewOption *option, const LcPictureOptions *options,
                               const LcOptionTelling *telling);

struct _LcViewOption
{
  const char *option;   /* of lightcone export, without the dashes */
  const char *argument; /* to be translated, as the help is; NULL: a flag */
  const char *help;
  const LcOptionKind *kind;
  LcOptionPart part;
  guint with;      /* views with one of these traits use it; 0: all do */
  const char *key; /* in a kept state; NULL: it is not kept */
  gsize place;     /* of its fields in LcPictureOptions: LC_OPTION_PLACE */
  gsize size;
  LcOptionDupText *dup_text;
  const char *const *texts; /* or what is said of each value, to be translated */

  const char *synonym; /* of the option, which is not in the help */
  gboolean is_shared;  /* its field is another row's, which alone keeps, compares and leaves it out */
  guint without;       /* views with none of these traits use it, too */
  guint also_with;     /* views with one of these take it, because what is read after it depends on it */

  /* Some kinds have these. */
  const char *const *words; /* by value; NULL after the last one */
  double least;             /* more than 0 */
  double most;
  const LcFilterOption *filter;
};

/* The fields from `first` to `last`. */
#define LC_OPTION_PLACE(first, last) \
  G_STRUCT_OFFSET (LcPictureOptions, first), G_STRUCT_OFFSET (LcPictureOptions, last) + \
                                                 sizeof ((LcPictureOptions *)NULL)->last - \
                                                 G_STRUCT_OFFSET (LcPictureOptions, first)

/* The words for LcSceneTime. */
extern const char *const lc_option_times[];

/* All options, with those of filters among them. */
const LcViewOption *lc_view_options_get (gsize *n_options);

/* Whether views with these traits use an option; or take it, at least. */
gboolean lc_view_option_is_used (const LcViewOption *option, guint traits);
gboolean lc_view_option_is_taken (const LcViewOption *option, guint traits);

/* --- Words -------------------------------------------------------------------------------------------------------- */

void lc_option_values_init (LcOptionValues *values, const char *command);
void lc_option_values_clear (LcOptionValues *values);

/* Reads the words of the options that need no history, or else of those that do. `words` has those of each option, by
 * its number; NULL: it was not given. FALSE with an error: G_OPTION_ERROR if the words
 * are wrong. */
gboolean lc_view_options_read (LcOptionValues *values, char *const *const *words, gboolean with_history,
                               GError **error);

/* Lists what is said of a part of a picture, in the user's language. */
void lc_view_options_list_texts (const LcPictureOptions *options, LcOptionPart part, const LcOptionTelling *telling,
                                 GPtrArray *texts);

/* --- Values ------------------------------------------------------------------------------------------------------- */

/* Keeps all options that are kept, and sets them to what was kept. */
void lc_view_options_save (const LcPictureOptions *options, const LcOptionState *state);
void lc_view_options_load (LcOptionValues *values, const LcOptionState *state);

/* Returns the parts that differ: a bit for each LcOptionPart. */
guint lc_view_options_compare (const LcPictureOptions *a, const LcPictureOptions *b, LcHistory *history);

/* Sets the options that views with these traits ignore to their usual values, or those of some parts. The options
 * borrow what they point at. */
void lc_view_options_leave_out (LcPictureOptions *options, guint traits);
void lc_view_options_reset (LcPictureOptions *options, guint parts);

/* --- Kinds -------------------------------------------------------------------------------------------------------- */

/* Values of one field: a gboolean; a number of one of `words`; a guint32 or guint64, 0 where nobody chooses; a text. */
extern const LcOptionKind lc_option_flag, lc_option_word, lc_option_number, lc_option_text;

/* The kinds of single options, and what is said of them. */
extern const LcOptionKind lc_option_filter, lc_option_timelines, lc_option_bounds, lc_option_from, lc_option_to,
    lc_option_processes, lc_option_collapse, lc_option_hide, lc_option_highlight, lc_option_marks, lc_option_coloring,
    lc_option_orientation, lc_option_picture_size;
LcOptionDupText lc_option_dup_timelines, lc_option_dup_bounds, lc_option_dup_span, lc_option_dup_rows,
    lc_option_dup_filter, lc_option_dup_hidden, lc_option_dup_highlight, lc_option_dup_coloring;

/* --- For the kinds ------------------------------------------------------------------------------------------------ */

/* The field of an option. */
#define lc_option_get(option, options, type) (*(type const *)(gconstpointer)((const char *)(options) + (option)->place))
#define lc_option_set(option, options, type, value) (*(type *)(gpointer)((char *)(options) + (option)->place) = (value))

/* Finds a word among those of an option. */
gboolean lc_option_word_read (const LcViewOption *option, LcOptionValues *values, const char *const *words,
                              GError **error);

/* The timeline that filters, phases and the part of the run are of. */
guint32 lc_options_get_timeline (const LcPictureOptions *options);

/* An event is kept by the name of its process. FALSE: what was kept is no event of the history, and nothing is set. */
void lc_option_save_event (const LcOptionState *state, const char *process_key, const char *ordinal_key,
                           guint32 process, guint64 ordinal);
gboolean lc_option_load_event (const LcOptionState *state, const char *process_key, const char *ordinal_key,
                               guint32 *process, guint64 *ordinal);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LcOptionValues, lc_option_values_clear)

#endif
