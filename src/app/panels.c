/* SPDX-License-Identifier: Apache-2.0 */
/* The panels around the diagram: what there is, on which side, and how it is made. */
#include "app/panels.h"

#include <glib/gi18n.h>

static const LcPanel panels[] = {
    {"processes", N_ ("Processes"), "system-users-symbolic", LC_SIDE_LEFT, NULL},
};

const LcPanel *
lc_panels_get (gsize *n_panels)
{
  *n_panels = G_N_ELEMENTS (panels);
  return panels;
}
