/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the .dwo files in which compilers leave most of a unit's debugging information with -gsplit-dwarf. */
#ifndef LC_WHERE_SPLIT_UNIT_H
#define LC_WHERE_SPLIT_UNIT_H

#include "where/code-file.h"

/*
 * Replaces a unit that is no more than the skeleton of one by that one; any other stays as it is. If the file with it
 * is not there, or is another one, the skeleton stays, and the state of the file of code is LC_CODE_SPLIT from then on.
 */
void lc_split_unit_follow (LcCodeFile *file, Dwarf_Die *unit);

#endif
