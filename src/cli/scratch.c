/* SPDX-License-Identifier: Apache-2.0 */
/* Makes and removes folders for what a command needs for a while. */
#include "scratch.h"

#include <ftw.h>
#include <glib/gstdio.h>

enum
{
  OPEN_FOLDERS = 16, /* at a time */
};

char *
lc_scratch_new (const char *what, GError **error)
{
  g_autofree char *template = g_strdup_printf ("lightcone-%s-XXXXXX", what);

  return g_dir_make_tmp (template, error);
}

static int
scratch_remove_one (const char *path, const struct stat *status, int type, struct FTW *place)
{
  g_remove (path);
  return 0;
}

void
lc_scratch_remove (const char *folder)
{
  nftw (folder, scratch_remove_one, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
}
