/* SPDX-License-Identifier: Apache-2.0 */
/* Tells how the clocks of several hosts were corrected. */
#include "report/clock-line.h"

#include <glib/gi18n.h>

#include "report/format.h"

char *
lc_clock_line (const LcHostCorrection *host)
{
  g_autofree char *shift = lc_format_duration ((guint64)ABS (host->shift));
  g_autofree char *arcs = lc_format_count (host->arcs), *most = lc_format_duration (host->most);
  g_autofree char *done = host->shift == 0  ? g_strdup (_ ("not shifted, but others were"))
                          : host->shift > 0 ? g_strdup_printf (_ ("put forward by %s"), shift)
                                            : g_strdup_printf (_ ("put back by %s"), shift);

  return g_strdup_printf (ngettext ("%s: %s arc pointed backwards, by %s at most",
                                    "%s: %s arcs pointed backwards, by %s at most", host->arcs),
                          done, arcs, most);
}

void
lc_clock_lines_to_json (const char *directory, LcJson *json)
{
  g_autoptr (GArray) hosts = lc_clocks_list (directory);

  lc_json_begin_array (json, "clock_correction");
  for (guint i = 0; i < hosts->len; i++)
    {
      const LcHostCorrection *host = &g_array_index (hosts, LcHostCorrection, i);

      lc_json_begin_object (json, NULL);
      lc_json_add_string (json, "host", host->host);
      lc_json_add_integer (json, "shift", host->shift);
      lc_json_add_count (json, "arcs", host->arcs);
      lc_json_add_count (json, "most", host->most);
      lc_json_end_object (json);
    }
  lc_json_end_array (json);
}
