/* SPDX-License-Identifier: Apache-2.0 */
/* Takes the unit of one .dwo file out of a .dwp file, into which a packer has put those of a whole program. */
#ifndef LC_WHERE_SPLIT_PACKAGE_H
#define LC_WHERE_SPLIT_PACKAGE_H

#include "where/code-file.h"

/*
 * Returns the descriptor of a file in memory that is what the .dwo file of unit `id` was, or -1: there is no package,
 * it has no such unit, or it is damaged. The caller closes it.
 */
int lc_split_package_cut (LcCodeFile *file, guint64 id);

#endif
