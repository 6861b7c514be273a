/* SPDX-License-Identifier: Apache-2.0 */
/* Programs that are compiled for a test, and what they say of themselves. */
#ifndef LC_TEST_WHERE_FIXTURE_H
#define LC_TEST_WHERE_FIXTURE_H

#include <glib.h>

#include "where/resolver.h"

/* A call of a program, a place in the function in which a thread began, or a variable. */
typedef struct
{
  guint64 offset;
  char *expected; /* frames as "FUNCTION@MARK|...", or the variable's name; "entry" of a function */
} FixtureItem;

typedef struct
{
  char *folder;  /* for everything that the test makes */
  char *program; /* path of the program */
  char *source;  /* its text */
  const char *source_name;
  GArray *calls;     /* FixtureItem, and places of entries */
  GArray *variables; /* FixtureItem */
} Fixture;

/* Compiles tests/where/data/NAME with a compiler and options that a space parts, and runs it. NULL: the test is
 * skipped, for there is no such compiler. */
Fixture *fixture_new (const char *name, const char *compiler, const char *options);
void fixture_free (Fixture *fixture);

/* Runs a tool with arguments that a space parts, in the fixture's folder. */
void fixture_run (const Fixture *fixture, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* How a resolver's frames of a place are written: "FUNCTION FILE:LINE|..."; "" if there are none. */
char *fixture_frames (LcResolver *resolver, guint64 offset, gboolean is_entry);

/* How the frames of a call should be written. */
char *fixture_expected (const Fixture *fixture, const char *frames);

/* Asks for all calls and variables, and sees that they are what the program says. */
void fixture_check (const Fixture *fixture, LcResolver *resolver);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Fixture, fixture_free)

#endif
