/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a profile, and as what one rank has left for one; what is accepted is written and read again. */
#include <string.h>

#include "fuzz.h"
#include "lightcone/profile.h"
#include "maker.h"

static void
read_again (const char *directory, const LcProfile *profile)
{
  g_autofree char *text = lc_profile_dup_json (profile), *path = g_build_filename (directory, "again.profile", NULL);
  g_autofree char *same = NULL;
  g_autoptr (GError) error = NULL;
  LcProfile *again;

  g_assert_true (g_utf8_validate (text, -1, NULL));
  maker_write_text (directory, "again.profile", text);
  again = lc_profile_load (path, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (again->processes->len, ==, profile->processes->len);
  same = lc_profile_dup_json (again);
  g_assert_cmpstr (same, ==, text);
  lc_profile_free (again);
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size)
{
  char *directory = maker_directory ();
  g_autofree char *path = g_build_filename (directory, "a.profile", NULL);
  g_autoptr (GError) error = NULL;
  LcProfile *profile, *ranks = lc_profile_new ("ranks", 7);

  maker_write (directory, "a.profile", bytes, size);
  profile = lc_profile_load (path, &error);
  g_assert_true ((profile == NULL) == (error != NULL));
  if (profile != NULL)
    {
      read_again (directory, profile);
      lc_profile_free (profile);
    }
  if (lc_profile_add_rank (ranks, path, NULL))
    lc_profile_sort (ranks);
  lc_profile_free (ranks);
  maker_remove (directory);
  return 0;
}

gboolean
fuzz_seed (guint number, GByteArray *bytes)
{
  static const char *const seeds[] = {
      "{\"lightcone_profile\": 1, \"title\": \"a\", \"ways\": 7, \"processes\": [\n {\"name\": \"rank 0\", \"rank\": "
      "0, "
      "\"host\": \"here\", \"total\": 9, \"total_local\": 8, \"total_parallel\": 7, \"overhead\": 2, \"delay\": 1, "
      "\"messages\": 3, \"routines\": [{\"name\": \"MPI_Send\", \"kind\": \"mpi\", \"calls\": 4, \"skipped\": 0, "
      "\"cost\": 40, \"inclusive\": 5, \"exclusive\": 5, \"waiting\": 1}]}]}\n",
      "{\"rank\": 1, \"ranks\": 2, \"pid\": 7, \"host\": \"h\\u0041\\n\", \"total\": 1, \"overhead\": -1e3, "
      "\"routines\": []}",
      "{\"lightcone_profile\": 1, \"processes\": [{\"routines\": [{}, {\"name\": null, \"calls\": 1.5, \"x\": [true, "
      "[[]]]}]}]}",
  };

  if (number >= G_N_ELEMENTS (seeds))
    return FALSE;
  g_byte_array_append (bytes, (const guint8 *)seeds[number], (guint)strlen (seeds[number]));
  return TRUE;
}
