/* SPDX-License-Identifier: Apache-2.0 */
/* The browser with a probe: browse-probe SECONDS:FILE TRACE. After the first picture the view zooms and pans for that
 * many seconds, always in the same way; then it rests for some seconds; then what the main thread did meanwhile is
 * written to the file, and the program ends. */
#include "app/application.h"
#include "app/shell.h"
#include "app/diagram/diagram-area.h"

#include <math.h>
#include <time.h>
#include <unistd.h>

enum
{
  IDLE_TIME = 3000, /* ms */
  CALM_TIME = 700,  /* ms of rest before measuring idle time: animations and painting come to an end */
};

#define CYCLE 5.0    /* s from the whole run into a part of it and back */
#define DEEPEST 2e4  /* zoom factor at the deepest point */
#define PAN_SPEED 2. /* views per second */

typedef struct
{
  LcDiagramArea *area;
  LcSession *session;
  double seconds;
  char *file;

  GSource *source; /* source of the main loop that measures how long the loop is busy */
  GArray *busy;    /* of gint64, µs */
  gint64 awake;
  GdkFrameClock *clock;
  GArray *frames; /* µs from before-paint to after-paint */
  GArray *worked; /* µs of `frames` that the main thread had the processor */
  gint64 frame_begin;
  double frame_worked;

  double first_picture; /* ms since the program was started */
  double first_worked;  /* ms of it that the main thread had the processor */
  gint64 script_begin;  /* 0: the script has not begun */
  gboolean moving;
  gconstpointer scene; /* the last one that was shown */
  guint n_scenes;
  guint n_blurred; /* frames with parts that were not sharp */
  double processor;
  double idle_processor; /* share of a processor used while nothing happened */
} Probe;

static void
probe_free (Probe *probe)
{
  g_clear_pointer (&probe->source, g_source_unref);
  g_clear_object (&probe->clock);
  g_array_unref (probe->busy);
  g_array_unref (probe->frames);
  g_array_unref (probe->worked);
  g_free (probe->file);
  g_free (probe);
}

static double
get_seconds (clockid_t clock)
{
  struct timespec time;

  clock_gettime (clock, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Returns when the kernel started the program, on CLOCK_BOOTTIME, to a hundredth of a second. */
static double
get_start (void)
{
  g_autofree char *text = NULL;
  const char *field;
  unsigned long long ticks = 0;

  if (!g_file_get_contents ("/proc/self/stat", &text, NULL, NULL) || (field = strrchr (text, ')')) == NULL)
    return get_seconds (CLOCK_BOOTTIME);
  for (int i = 2; i < 22 && field != NULL; i++)
    field = strchr (field + 1, ' ');
  if (field != NULL)
    ticks = g_ascii_strtoull (field + 1, NULL, 10);
  return (double)ticks / (double)sysconf (_SC_CLK_TCK);
}

static guint64
get_memory_peak (void)
{
  g_autofree char *text = NULL;
  const char *line;

  if (!g_file_get_contents ("/proc/self/status", &text, NULL, NULL) || (line = strstr (text, "VmHWM:")) == NULL)
    return 0;
  return g_ascii_strtoull (line + strlen ("VmHWM:"), NULL, 10) * 1024;
}

/* --- Busy times of the main loop ------------------------------------------------------------------------------- */

typedef struct
{
  GSource source;
  Probe *probe;
} BusySource;

static gboolean
probe_prepare (GSource *source, int *timeout)
{
  Probe *probe = ((BusySource *)source)->probe;
  gint64 length = g_get_monotonic_time () - probe->awake;

  if (probe->moving && probe->awake != 0)
    g_array_append_val (probe->busy, length);
  *timeout = -1;
  return FALSE;
}

static gboolean
probe_check (GSource *source)
{
  ((BusySource *)source)->probe->awake = g_get_monotonic_time ();
  return FALSE;
}

static gboolean
probe_dispatch (GSource *source, GSourceFunc callback, gpointer data)
{
  return G_SOURCE_CONTINUE;
}

static void
watch_loop (Probe *probe)
{
  static GSourceFuncs functions = {.prepare = probe_prepare, .check = probe_check, .dispatch = probe_dispatch};

  probe->source = g_source_new (&functions, sizeof (BusySource));
  ((BusySource *)probe->source)->probe = probe;
  g_source_attach (probe->source, NULL);
}

/* --- Results --------------------------------------------------------------------------------------------------- */

static int
probe_compare_times (gconstpointer a, gconstpointer b)
{
  gint64 one = *(const gint64 *)a, other = *(const gint64 *)b;

  return one < other ? -1 : one > other;
}

static void
probe_add_times (GString *json, const char *name, GArray *times)
{
  double p50 = 0, p99 = 0, most = 0;

  g_array_sort (times, probe_compare_times);
  if (times->len > 0)
    {
      p50 = (double)g_array_index (times, gint64, times->len / 2) / 1000;
      p99 = (double)g_array_index (times, gint64, (guint)((double)(times->len - 1) * 0.99)) / 1000;
      most = (double)g_array_index (times, gint64, times->len - 1) / 1000;
    }
  g_string_append_printf (json, "  \"%s\": {\"n\": %u, \"p50\": %.3f, \"p99\": %.3f, \"most\": %.3f},\n", name,
                          times->len, p50, p99, most);
}

static void
write_down (Probe *probe)
{
  g_autoptr (GString) json = g_string_new ("{\n");
  g_autoptr (GError) error = NULL;

  g_string_append_printf (json, "  \"first_picture_ms\": %.1f,\n  \"first_worked_ms\": %.1f,\n", probe->first_picture,
                          probe->first_worked);
  probe_add_times (json, "frame_ms", probe->frames);
  probe_add_times (json, "worked_ms", probe->worked);
  probe_add_times (json, "busy_ms", probe->busy);
  g_string_append_printf (json, "  \"seconds\": %.3f,\n  \"pictures\": %u,\n  \"blurred_frames\": %u,\n",
                          probe->seconds, probe->n_scenes, probe->n_blurred);
  g_string_append_printf (json, "  \"idle_share\": %.5f,\n  \"memory_peak\": %" G_GUINT64_FORMAT "\n}\n",
                          probe->idle_processor, get_memory_peak ());
  if (!g_file_set_contents (probe->file, json->str, (gssize)json->len, &error))
    g_printerr ("browse-probe: %s\n", error->message);
}

static gboolean
probe_end (gpointer data)
{
  Probe *probe = data;

  probe->idle_processor = (get_seconds (CLOCK_PROCESS_CPUTIME_ID) - probe->processor) / (IDLE_TIME / 1000.0);
  write_down (probe);
  g_application_quit (g_application_get_default ());
  return G_SOURCE_REMOVE;
}

static gboolean
begin_idle (gpointer data)
{
  Probe *probe = data;

  probe->processor = get_seconds (CLOCK_PROCESS_CPUTIME_ID);
  g_timeout_add (IDLE_TIME, probe_end, probe);
  return G_SOURCE_REMOVE;
}

/* --- The script ------------------------------------------------------------------------------------------------ */

/* A third of each cycle zooms in, a third pans, a third zooms out; every other cycle also shows fewer rows. */
static void
choose_span (double time, const LcSpan *whole, LcSpan *span)
{
  double cycle = floor (time / CYCLE), at = time / CYCLE - cycle, depth = MIN (MIN (at, 1 - at) * 3, 1);
  double length = (whole->to - whole->from) * pow (DEEPEST, -depth), rows = whole->last_row - whole->first_row;
  double middle = whole->from + (whole->to - whole->from) * (0.2 + 0.6 * fmod (cycle * 0.381966, 1));
  double shown = rows * (fmod (cycle, 2) >= 1 ? pow (8, -depth) : 1);

  if (at > 1.0 / 3)
    middle += (MIN (at, 2.0 / 3) - 1.0 / 3) * CYCLE * PAN_SPEED * (whole->to - whole->from) / DEEPEST;
  *span = (LcSpan){middle - length / 2, middle + length / 2, (rows - shown) / 3, (rows - shown) / 3 + shown};
}

static gboolean
probe_step (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  Probe *probe = data;
  double time = (double)(g_get_monotonic_time () - probe->script_begin) * 1e-6;
  LcSpan whole, span;

  if (time >= probe->seconds)
    {
      probe->moving = FALSE;
      g_timeout_add (CALM_TIME, begin_idle, probe);
      return G_SOURCE_REMOVE;
    }
  lc_session_get_whole (probe->session, &whole);
  choose_span (time, &whole, &span);
  lc_session_set_span (probe->session, &span, FALSE);
  return G_SOURCE_CONTINUE;
}

/* --- Frames ---------------------------------------------------------------------------------------------------- */

static void
before_paint (GdkFrameClock *clock, gpointer data)
{
  Probe *probe = data;

  probe->frame_begin = g_get_monotonic_time ();
  probe->frame_worked = get_seconds (CLOCK_THREAD_CPUTIME_ID);
}

static void
have_first_picture (Probe *probe)
{
  probe->first_picture = (get_seconds (CLOCK_BOOTTIME) - get_start ()) * 1000;
  probe->first_worked = get_seconds (CLOCK_THREAD_CPUTIME_ID) * 1000;
  probe->script_begin = g_get_monotonic_time ();
  probe->moving = TRUE;
  gtk_widget_add_tick_callback (GTK_WIDGET (probe->area), probe_step, probe, NULL);
}

static void
after_paint (GdkFrameClock *clock, gpointer data)
{
  Probe *probe = data;
  gint64 length = g_get_monotonic_time () - probe->frame_begin;
  gint64 worked = (gint64)((get_seconds (CLOCK_THREAD_CPUTIME_ID) - probe->frame_worked) * 1e6);
  gconstpointer scene = lc_diagram_area_get_scene (probe->area);
  gboolean sharp = lc_diagram_area_is_sharp (probe->area);

  if (probe->script_begin == 0 && sharp)
    have_first_picture (probe);
  else if (probe->moving)
    {
      g_array_append_val (probe->frames, length);
      g_array_append_val (probe->worked, worked);
      probe->n_scenes += scene != probe->scene;
      probe->n_blurred += !sharp;
    }
  probe->scene = scene;
}

static void
on_destroy (GtkWidget *widget, gpointer data)
{
  Probe *probe = data;

  g_signal_handlers_disconnect_by_data (probe->clock, probe);
  g_source_destroy (probe->source);
  while (g_source_remove_by_user_data (probe))
    ;
}

/* --- The browser with a probe ------------------------------------------------------------------------------------ */

/* Parses SECONDS:FILE. */
static Probe *
probe_new (const char *script)
{
  Probe *probe = g_new0 (Probe, 1);
  char *rest;

  probe->seconds = g_ascii_strtod (script, &rest);
  if (*rest != ':' || !(probe->seconds >= 0))
    {
      g_free (probe);
      return NULL;
    }
  probe->file = g_strdup (rest + 1);
  probe->busy = g_array_new (FALSE, FALSE, sizeof (gint64));
  probe->frames = g_array_new (FALSE, FALSE, sizeof (gint64));
  probe->worked = g_array_new (FALSE, FALSE, sizeof (gint64));
  return probe;
}

/* Watches the first diagram from when it has a window. */
static gboolean
probe_attach (GSignalInvocationHint *hint, guint n_values, const GValue *values, gpointer data)
{
  GtkWidget *widget = g_value_get_object (&values[0]);
  Probe *probe = data;

  if (!LC_IS_DIAGRAM_AREA (widget))
    return TRUE;
  probe->area = LC_DIAGRAM_AREA (widget);
  probe->session = lc_shell_get_session (LC_SHELL (gtk_widget_get_root (widget)));
  watch_loop (probe);
  probe->clock = g_object_ref (gtk_widget_get_frame_clock (widget));
  g_signal_connect (probe->clock, "before-paint", G_CALLBACK (before_paint), probe);
  g_signal_connect (probe->clock, "after-paint", G_CALLBACK (after_paint), probe);
  g_signal_connect (widget, "destroy", G_CALLBACK (on_destroy), probe);
  return FALSE;
}

int
main (int argc, char **argv)
{
  Probe *probe = argc > 1 ? probe_new (argv[1]) : NULL;
  g_autoptr (LcApplication) application = NULL;
  int status;

  if (probe == NULL)
    {
      g_printerr ("browse-probe: SECONDS:FILE TRACE expected\n");
      return 2;
    }
  argv[1] = argv[0];
  gtk_init ();
  g_type_class_ref (LC_TYPE_DIAGRAM_AREA); /* the signals of a type exist from its first class on */
  g_signal_add_emission_hook (g_signal_lookup ("realize", GTK_TYPE_WIDGET), 0, probe_attach, probe, NULL);
  application = lc_application_new ();
  status = g_application_run (G_APPLICATION (application), argc - 1, argv + 1);
  probe_free (probe);
  return status;
}
