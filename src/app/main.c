/* SPDX-License-Identifier: Apache-2.0 */
/* The browser's program. */
#include <glib/gi18n.h>
#include <locale.h>

#include "app/application.h"
#include "trace/printing.h"

int
main (int argc, char **argv)
{
  g_autoptr (LcApplication) application = NULL;

  setlocale (LC_ALL, "");
  bindtextdomain (GETTEXT_PACKAGE, LC_LOCALE_FOLDER);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);
  lc_printing_init ();
  g_set_application_name ("Lightcone");
  application = lc_application_new ();
  return g_application_run (G_APPLICATION (application), argc, argv);
}
