/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the modules and sites of an address space, record after record. */
#ifndef LC_TRACE_CTF_SITES_H
#define LC_TRACE_CTF_SITES_H

#include "ctf.h"
#include "records.h"

typedef struct
{
  LcTrace *trace;
  const char *file;
  LcCtfInstance *instance;
  GHashTable *modules; /* record -> module + 1 */
  GTree *memory;       /* Range: the modules that are loaded, by where they begin */
} LcCtfCode;

void lc_ctf_code_init (LcCtfCode *code, LcTrace *trace, const char *file, LcCtfInstance *instance);
void lc_ctf_code_clear (LcCtfCode *code);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LcCtfCode, lc_ctf_code_clear)

/* `path`: the module's name as text; "" if it has none. */
void lc_ctf_code_add_module (LcCtfCode *code, const LcRecord *record, const char *path);
void lc_ctf_code_add_site (LcCtfCode *code, const LcRecord *record);

/* Sets where an object is: the stack that its record names, and the module that it is part of. */
void lc_ctf_code_place (LcCtfCode *code, const LcRecord *record, LcObject *object);

#endif
