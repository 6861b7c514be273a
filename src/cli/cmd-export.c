/* SPDX-License-Identifier: Apache-2.0 */
/* lightcone export: a view of a trace as a picture, or its blame as stacks for flame graphs. */
#include <errno.h>
#include <glib/gi18n.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "flame.h"
#include "lightcone/sheet.h"
#include "draw/options/find-named.h"
#include "open-history.h"
#include "report/output.h"
#include "picture-choice.h"
#include "views.h"
#ifdef LC_HAVE_SCRIPT
#include "script-view.h"
#endif

enum
{
  MOST_SCALE = 20,
  MOST_NUMBERS = 16, /* options that are numbers */
};

static char *output, *format_name, *view_name;
static LcPictureChoice choice;
static char **rules_files, **skip;
static gboolean list_views, json;
static gboolean trusts, as_sheet;
static double scale = 1, time_limit, rate = -1;
static int n_frames = -1, memory_limit;

static const GOptionEntry options[] = {
    {"output", 'o', 0, G_OPTION_ARG_FILENAME, &output,
     N_ ("Where to write it: a name with .png, .svg, .pdf, .folded or .speedscope.json, or -"), N_ ("FILE")},
    {"format", 0, 0, G_OPTION_ARG_STRING, &format_name,
     N_ ("png, svg, pdf, folded or speedscope, whatever the name is; or sheet: the data of a script's view"),
     N_ ("FORMAT")},
    {"view", 0, 0, G_OPTION_ARG_STRING, &view_name, N_ ("What to draw (see --list-views)"), N_ ("NAME")},
    {NULL},
};

/* The options after those of views. */
static const GOptionEntry more_options[] = {
    {"frames", 0, 0, G_OPTION_ARG_CALLBACK, lc_command_take_number,
     N_ ("Of the view graph: a picture that moves, of so many parts of the time"), N_ ("NUMBER")},
    {"rate", 0, 0, G_OPTION_ARG_CALLBACK, lc_command_take_number, N_ ("Of --frames: so many a second (10)"),
     N_ ("NUMBER")},
    {"skip", 0, 0, G_OPTION_ARG_STRING_ARRAY, &skip,
     N_ ("Of folded and speedscope: leave out frames of this function, file or module; more than once"),
     N_ ("PATTERN")},
    {"scale", 0, 0, G_OPTION_ARG_CALLBACK, lc_command_take_number,
     N_ ("Of a PNG: pixels for each unit of the size (1)"), N_ ("NUMBER")},
    {"list-views", 0, 0, G_OPTION_ARG_NONE, &list_views, N_ ("Say what can be drawn; of DIR, by scripts, too"), NULL},
    {"json", 0, 0, G_OPTION_ARG_NONE, &json, N_ ("Of --list-views: for programs to read"), NULL},
    {"time-limit", 0, 0, G_OPTION_ARG_CALLBACK, lc_command_take_number, N_ ("Stop a script that takes longer"),
     N_ ("SECONDS")},
    {"memory-limit", 0, 0, G_OPTION_ARG_CALLBACK, lc_command_take_number,
     N_ ("Stop a script that takes more memory, instead of half of the machine's"), N_ ("MIB")},
    {"trust-scripts", 0, 0, G_OPTION_ARG_NONE, &trusts, N_ ("Look for views in the scripts in DIR/scripts, too"), NULL},
    {"rules", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &rules_files, N_ ("Further rules, besides the built-in ones"),
     N_ ("FILE")},
};

/* With room for those of the options of views. */
static LcCommandNumber numbers[MOST_NUMBERS] = {
    {"frames", 1, LC_MOST_FRAMES, .integer = &n_frames},
    {"rate", LC_LEAST_RATE, LC_MOST_RATE, .real = &rate},
    {"scale", 1, MOST_SCALE, .real = &scale},
    {"time-limit", 0, 1e9, .real = &time_limit},
    {"memory-limit", 0, LC_COMMAND_ANY, .integer = &memory_limit},
};

static const GOptionEntry *
export_get_options (void)
{
  static GArray *entries;

  entries = g_array_new (TRUE, FALSE, sizeof (GOptionEntry));
  lc_picture_choice_add_options (&choice, FALSE, entries, numbers);
  g_array_append_vals (entries, more_options, G_N_ELEMENTS (more_options));
  lc_picture_choice_add_options (&choice, TRUE, entries, numbers);
  return (const GOptionEntry *)(const void *)entries->data;
}

static const LcCommandLine line = {
    .name = "export",
    .arguments = N_ ("DIR|PROFILE"),
    .description = N_ ("Without --view it is the space-time diagram; of a file that lightcone profile has left, that "
                       "profile. A script can define further views (docs/scripting.md)."),
    .options = options,
    .numbers = numbers,
    .get_more = export_get_options,
    .n_optional = 1,
};

/* --- Options that need no history --------------------------------------------------------------------------------- */

/* Gives the index of a word in a list; -1: it is not in the list, and the user has been told. */
static int
export_find_word (const char *option, const char *text, const char *const *words)
{
  g_autofree char *list = NULL;

  for (int i = 0; words[i] != NULL; i++)
    if (strcmp (words[i], text) == 0)
      return i;
  list = g_strjoinv (", ", (char **)words);
  lc_complain (_ ("export: %s can be %s, not “%s”"), option, list, text);
  return -1;
}

static void
export_complain_of_ending (void)
{
  g_autofree char *pictures = lc_file_kind_dup_endings (), *stacks = lc_flame_dup_endings ();
  g_autofree char *all = g_strconcat (pictures, ", ", stacks, NULL);

  lc_complain (_ ("%s: no kind of file that can be written; the name has to end with one of %s"), output, all);
}

static gboolean
parse_kind (LcFileKind *kind)
{
  /* In the order of LcFileKind; the others are no pictures, and have been looked for before. */
  static const char *const kinds[] = {"png", "svg", "pdf", "folded", "speedscope", "sheet", NULL};
  int number;

  if (output == NULL)
    {
      lc_complain (_ ("export: -o FILE says where to write the picture (see lightcone help export)"));
      return FALSE;
    }
  as_sheet = g_strcmp0 (format_name, "sheet") == 0;
  if (format_name != NULL)
    {
      number = as_sheet ? LC_FILE_PDF : export_find_word ("--format", format_name, kinds);
      *kind = (LcFileKind)number;
      return number >= 0;
    }
  if (strcmp (output, "-") == 0)
    lc_complain (_ ("export: -o - goes with --format png, svg, pdf, folded or speedscope"));
  else if (!lc_file_kind_parse (output, kind, NULL))
    export_complain_of_ending ();
  else
    return TRUE;
  return FALSE;
}

static gboolean
check_output (LcFileKind kind)
{
  if (kind != LC_FILE_PNG && scale != 1)
    lc_complain (_ ("export: --scale is of a PNG; an SVG and a PDF can be scaled without it"));
  else if (kind != LC_FILE_SVG && strcmp (output, "-") == 0 && isatty (STDOUT_FILENO))
    lc_complain (_ ("export: the standard output is a terminal, which shows no pictures: -o FILE writes a file"));
  else
    return TRUE;
  return FALSE;
}

/* --- Flame graphs ------------------------------------------------------------------------------------------------- */

/* Whether stacks are to be written, not a picture. */
static gboolean
export_is_flame (LcFlameFormat *format)
{
  if (format_name == NULL)
    return output != NULL && lc_flame_format_parse (output, format);
  *format = strcmp (format_name, "folded") == 0 ? LC_FLAME_FOLDED : LC_FLAME_SPEEDSCOPE;
  return *format == LC_FLAME_FOLDED || strcmp (format_name, "speedscope") == 0;
}

/* Refuses the options that only pictures have. */
static gboolean
export_check_flame (void)
{
  static const char *const of_both[] = {"timeline", "by", "title", NULL};
  const char *name = view_name != NULL ? "view"
                     : n_frames != -1  ? "frames"
                     : rate != -1      ? "rate"
                     : scale != 1      ? "scale"
                                       : NULL;

  for (gsize i = 0; name == NULL || g_strv_contains (of_both, name);)
    if ((name = lc_picture_choice_find_given (&choice, &i)) == NULL)
      return TRUE;
  lc_complain (_ ("export: --%s goes with pictures only"), name);
  return FALSE;
}

/* A trace is a directory, a profile a file. */
static gboolean
is_profile (const char *path)
{
  return g_file_test (path, G_FILE_TEST_IS_REGULAR);
}

/* Refuses the options that only blame has. */
static gboolean
export_check_callpaths (void)
{
  const char *name = lc_picture_choice_get (&choice, "timeline") != NULL ? "timeline"
                     : rules_files != NULL                               ? "rules"
                     : lc_picture_choice_get (&choice, "by") != NULL     ? "by"
                     : skip != NULL                                      ? "skip"
                                                                         : NULL;

  if (name != NULL)
    lc_complain (_ ("export: --%s goes with traces only"), name);
  return name == NULL;
}

static gboolean
export_parse_flame (int argc, char **argv, LcFlameEnds *ends)
{
  static const char *const words[] = {"both", "waiter", "blamed", NULL}; /* in the order of LcFlameEnds */
  const char *by = lc_picture_choice_get (&choice, "by");
  int number = by != NULL ? export_find_word ("--by", by, words) : LC_FLAME_BOTH;

  *ends = (LcFlameEnds)number;
  if (number < 0)
    return FALSE;
  if (argc < 2)
    lc_complain (_ ("%s: %s is missing (see lightcone help %s)"), line.name, _ (line.arguments), line.name);
  else if (json)
    lc_complain (_ ("export: --json goes with --list-views only"));
  else if (output == NULL)
    lc_complain (_ ("export: -o FILE says where to write the picture (see lightcone help export)"));
  else
    return export_check_flame () && (!is_profile (argv[1]) || export_check_callpaths ());
  return FALSE;
}

static char *
export_dup_blame (const char *directory, const LcFlameAsked *asked, const char *shown_title, GError **error)
{
  g_autoptr (LcHistory) history = lc_open_history (directory, (const char *const *)rules_files, FALSE, error);
  const char *name = lc_picture_choice_get (&choice, "timeline");
  guint32 timeline;
  char *text;

  if (history == NULL || !lc_find_timeline (history, name != NULL ? name : "measured", &timeline, error))
    return NULL;
  text = lc_flame_dup_text (history, timeline, shown_title, asked, error);
  if (text == NULL)
    g_prefix_error (error, "%s: ", directory);
  return text;
}

static char *
export_dup_callpaths (const char *path, LcFlameFormat format, const char *shown_title, GError **error)
{
  g_autoptr (LcProfile) profile = lc_profile_load (path, error);

  if (profile != NULL && lc_profile_has_paths (profile))
    return lc_flame_dup_profile (profile, shown_title, format);
  if (profile != NULL)
    g_set_error (error, LC_PROFILE_ERROR, LC_PROFILE_ERROR_FORMAT,
                 _ ("%s: this profile has no call paths: measure the program again, with --callpath"), path);
  return NULL;
}

static gboolean
write_flame (const char *path, LcFlameFormat format, LcFlameEnds ends, GError **error)
{
  const LcFlameAsked asked = {format, ends, (const char *const *)skip};
  g_autofree char *base = g_path_get_basename (path), *text = NULL;
  const char *title = lc_picture_choice_get (&choice, "title"), *shown_title = title != NULL ? title : base;
  g_autoptr (GBytes) bytes = NULL;

  text = is_profile (path) ? export_dup_callpaths (path, format, shown_title, error)
                           : export_dup_blame (path, &asked, shown_title, error);
  if (text == NULL)
    return FALSE;
  if (strcmp (output, "-") != 0)
    {
      gsize length = strlen (text);

      bytes = g_bytes_new_take (g_steal_pointer (&text), length);
      return lc_picture_write_bytes (bytes, output, error);
    }
  lc_output_write (text, -1);
  return TRUE;
}

static int
run_flame (int argc, char **argv, LcFlameFormat format)
{
  g_autoptr (GError) error = NULL;
  LcFlameEnds ends;

  if (!export_parse_flame (argc, argv, &ends))
    return LC_EXIT_UNUSABLE;
  if (write_flame (argv[1], format, ends, &error))
    return LC_EXIT_GOOD;
  lc_complain ("%s", error->message);
  return LC_EXIT_UNUSABLE;
}

/* --- The view and its options ------------------------------------------------------------------------------------- */

static gboolean
export_check_options (const LcViewInfo *view)
{
  const char *name;

  for (gsize i = 0; (name = lc_picture_choice_find_given (&choice, &i)) != NULL;)
    if (!lc_check_view (view, name))
      return FALSE;
  return (n_frames == -1 || lc_check_view (view, "frames")) && (rate == -1 || lc_check_view (view, "rate"));
}

/* Only what moves has a rate. */
static gboolean
export_check_rate (void)
{
  if (rate == -1 || n_frames != -1)
    return TRUE;
  lc_complain (_ ("export: --rate goes with --frames only"));
  return FALSE;
}

/* Chooses the view. The default for a profile is its own view, and other views must be able to show one. */
static gboolean
choose_view (const char *path, const LcViewInfo **view)
{
  *view = lc_choose_view (view_name == NULL && is_profile (path) ? "profile" : view_name);
  if (*view == NULL || !is_profile (path))
    return *view != NULL;
  if (((*view)->traits & LC_VIEW_PROFILE) == 0)
    lc_complain (_ ("export: “%s” is no trace, and the view %s is of a trace: --view profile is of a profile"), path,
                 (*view)->name);
  else if (lc_picture_choice_get (&choice, "timeline") != NULL)
    lc_complain (_ ("export: --timeline goes with traces only, and “%s” is a profile"), path);
  else
    return TRUE;
  return FALSE;
}

/* Reads the options that need no history. */
static gboolean
export_read_options (const LcViewInfo *view)
{
  g_autoptr (GError) error = NULL;

  lc_option_values_init (&choice.values, line.name);
  choice.values.options.view = view->name;
  if (lc_picture_choice_read (&choice, line.name, NULL, &error))
    return TRUE;
  lc_complain ("%s", error->message);
  return FALSE;
}

/* Parses and checks all that can be checked without a history. */
static gboolean
export_parse (int argc, char **argv, LcFileKind *kind)
{
  const gboolean has_measure = lc_picture_choice_get (&choice, "measure") != NULL;
  const LcViewInfo *view;

  if (argc < 2)
    lc_complain (_ ("%s: %s is missing (see lightcone help %s)"), line.name, _ (line.arguments), line.name);
  else if (json)
    lc_complain (_ ("export: --json goes with --list-views only"));
  else if (skip != NULL)
    lc_complain (_ ("export: --skip goes with files named .folded and .speedscope.json, or --format folded and "
                    "speedscope"));
  else if (has_measure && lc_picture_choice_get (&choice, "by") != NULL)
    lc_complain (_ ("export: --by is --measure of the view flame: one of them is enough"));
  else if (has_measure && lc_picture_choice_get (&choice, "layout") != NULL)
    lc_complain (_ ("export: --layout is --measure of the view graph: one of them is enough"));
  else
    return choose_view (argv[1], &view) && export_read_options (view) && parse_kind (kind) && check_output (*kind) &&
           export_check_options (view) && export_check_rate ();
  return FALSE;
}

/* --- Writing ------------------------------------------------------------------------------------------------------ */

static GBytes *
export_encode (LcPicture *picture, LcFileKind kind, GError **error)
{
  GVariant *sheet = as_sheet ? lc_picture_get_sheet (picture) : NULL;

  if (sheet != NULL)
    return g_variant_get_data_as_bytes (sheet);
  if (!as_sheet && n_frames != -1)
    return lc_picture_encode_frames (picture, &(LcPictureFrames){(guint)n_frames, rate != -1 ? rate : LC_USUAL_RATE},
                                     kind, scale, NULL, error);
  if (!as_sheet)
    return lc_picture_encode (picture, kind, scale, error);
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
               _ ("export: --format sheet goes with views of scripts only"));
  return NULL;
}

static gboolean
print_picture (LcPicture *picture, LcFileKind kind, GError **error)
{
  g_autoptr (GBytes) bytes = export_encode (picture, kind, error);

  if (bytes == NULL)
    return FALSE;
  if (lc_output_write_bytes (bytes))
    return TRUE;
  g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (errno), _ ("standard output: %s"), g_strerror (errno));
  return FALSE;
}

/* `opened`: the history, if it is open already; it stays the caller's. */
static gboolean
write_picture (const char *directory, LcHistory *opened, LcFileKind kind, GError **error)
{
  gboolean needs_history = !is_profile (directory);
  g_autoptr (LcHistory) own = needs_history && opened == NULL
                                  ? lc_open_history (directory, (const char *const *)rules_files, FALSE, error)
                                  : NULL;
  LcHistory *history = opened != NULL ? opened : own;
  g_autoptr (LcPicture) picture = NULL;
  g_autoptr (GBytes) bytes = NULL;

  choice.values.options.directory = directory;
  if (needs_history && (history == NULL || !lc_picture_choice_read (&choice, line.name, history, error)))
    return FALSE;
  picture = lc_picture_new (history, &choice.values.options, NULL, error);
  if (picture == NULL)
    {
      if (g_error_matches (*error, LC_PICTURE_ERROR, LC_PICTURE_ERROR_EMPTY))
        g_prefix_error (error, "%s: ", directory);
      else if (g_error_matches (*error, LC_PICTURE_ERROR, LC_PICTURE_ERROR_OPTION))
        g_prefix_error (error, "%s: ", line.name);
      return FALSE;
    }
  if (strcmp (output, "-") == 0)
    return print_picture (picture, kind, error);
  bytes = export_encode (picture, kind, error);
  if (bytes != NULL)
    return lc_picture_write_bytes (bytes, output, error);
  if (!as_sheet)
    g_prefix_error (error, "%s: ", output);
  return FALSE;
}

/* The command's arguments, and the history if scripts need it open before. */
typedef struct
{
  int argc;
  char **argv;
  LcHistory *history;
} ExportRun;

static int
export_write (gpointer data)
{
  const ExportRun *run = data;
  g_autoptr (GError) error = NULL;
  LcFileKind kind;
  gboolean written;

  if (!export_parse (run->argc, run->argv, &kind))
    return LC_EXIT_UNUSABLE;
  written = write_picture (run->argv[1], run->history, kind, &error);
  lc_picture_choice_clear (&choice);
  if (written)
    return LC_EXIT_GOOD;
  lc_complain ("%s", error->message);
  return LC_EXIT_UNUSABLE;
}

/* --- Views of scripts --------------------------------------------------------------------------------------------- */

static int
export_list_views (gpointer data)
{
  lc_list_views (json);
  return LC_EXIT_GOOD;
}

/* Runs `body` with the views that scripts define for the trace. */
static int
export_run_scripts (ExportRun *run, int (*body) (gpointer data))
{
#ifdef LC_HAVE_SCRIPT
  g_autoptr (GError) error = NULL;
  g_autoptr (LcHistory) history = lc_open_history (run->argv[1], (const char *const *)rules_files, FALSE, &error);
  const char *const arguments[] = {"lightcone", NULL};
  const LcScriptViews scripted = {.options = {.history = history,
                                              .directory = run->argv[1],
                                              .rules = (const char *const *)rules_files,
                                              .arguments = arguments,
                                              .time_limit = (guint64)(time_limit * 1e9),
                                              .memory_limit = (guint64)memory_limit << 20},
                                  .trusts = trusts,
                                  .wanted = list_views ? NULL : view_name};

  if (history == NULL)
    {
      lc_complain ("%s", error->message);
      return LC_EXIT_UNUSABLE;
    }
  run->history = history;
  return lc_script_views_run (&scripted, body, run);
#else
  return body (run);
#endif
}

static int
tell_views (ExportRun *run)
{
  if (run->argc < 2)
    return export_list_views (run);
  if (run->argc == 2 && !is_profile (run->argv[1]))
    return export_run_scripts (run, export_list_views);
  lc_complain (_ ("%s: “%s” is one argument too many (see lightcone help %s)"), line.name, run->argv[run->argc - 1],
               line.name);
  return LC_EXIT_UNUSABLE;
}

/* What is none of Lightcone's own views may be one of a script. */
static gboolean
export_needs_scripts (int argc, char **argv)
{
  return argc == 2 && view_name != NULL && !is_profile (argv[1]) && lc_views_find (view_name) == NULL;
}

int
lc_cmd_export (int argc, char **argv)
{
  ExportRun run;
  LcFlameFormat flame;

  if (!lc_command_parse (&line, &argc, &argv))
    return LC_EXIT_UNUSABLE;
  run = (ExportRun){.argc = argc, .argv = argv};
  if (list_views)
    return tell_views (&run);
  if (export_is_flame (&flame))
    return run_flame (argc, argv, flame);
  return export_needs_scripts (argc, argv) ? export_run_scripts (&run, export_write) : export_write (&run);
}
