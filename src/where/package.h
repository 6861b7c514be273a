/* SPDX-License-Identifier: Apache-2.0 */
/* Which package of the system a file came with. */
#ifndef LC_WHERE_PACKAGE_H
#define LC_WHERE_PACKAGE_H

#include <glib.h>

/* Where dpkg has a list of the files of each package. */
#define LC_PACKAGE_LISTS "/var/lib/dpkg/info"

/* Returns the name of the package that brought a file, as the lists in a folder say, or NULL: not known. Free it. */
char *lc_dup_package (const char *path, const char *folder);

#endif
