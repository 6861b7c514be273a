/* SPDX-License-Identifier: Apache-2.0 */
/* Entries and exits of functions, in programs compiled with -finstrument-functions. */
#include <string.h>

#include "sites.h"

#define EXCLUDED UINT32_MAX

static const char *include_patterns, *exclude_patterns;
static size_t include_length, exclude_length;
static uint32_t depth_limit;

void
lc_functions_begin (void)
{
  const char *patterns = (const char *)lc_control + lc_control->patterns_offset;

  include_patterns = patterns;
  include_length = lc_control->include_length;
  exclude_patterns = patterns + include_length;
  exclude_length = lc_control->exclude_length;
  depth_limit = lc_control->function_depth;
}

/* Matches a name: `*` stands for any characters, `?` for one. */
static bool
functions_matches (const char *pattern, const char *name)
{
  const char *star = NULL, *again = NULL;

  while (*name != '\0')
    {
      if (*pattern == '*')
        {
          star = ++pattern;
          again = name;
        }
      else if (*pattern == '?' || *pattern == *name)
        {
          pattern++;
          name++;
        }
      else if (star != NULL)
        {
          pattern = star;
          name = ++again;
        }
      else
        return false;
    }
  while (*pattern == '*')
    pattern++;
  return *pattern == '\0';
}

static bool
matches_any (const char *patterns, size_t length, const char *name)
{
  for (const char *at = patterns; at < patterns + length; at += strlen (at) + 1)
    if (functions_matches (at, name))
      return true;
  return false;
}

static bool
functions_is_wanted (const void *function, uint64_t offset)
{
  char name[256], buffer[PATH_MAX];

  if (include_length == 0 && exclude_length == 0)
    return true;
  if (!lc_symbol_name (lc_module_path (function, buffer), offset, name, sizeof name))
    return include_length == 0;
  if (include_length > 0 && !matches_any (include_patterns, include_length, name))
    return false;
  return !matches_any (exclude_patterns, exclude_length, name);
}

/* Describes a function at its first call. */
static uint32_t
functions_describe (struct lc_slot *slot, void *function)
{
  struct lc_object_record record = {.object_class = LC_CLASS_FUNCTION, .address = (uint64_t)(uintptr_t)function};
  struct lc_slow slow;
  uint64_t base;
  uint32_t id = 0;

  lc_slow_begin (&slow);
  record.module = lc_module_see (function, &base);
  if (record.module != 0)
    {
      record.value = record.address - base;
      if (!functions_is_wanted (function, record.value))
        id = EXCLUDED;
    }
  if (id == 0)
    id = lc_object_new (&record, NULL);
  __atomic_store_n (&slot->id, id, __ATOMIC_RELEASE);
  lc_slow_end (&slow);
  return id;
}

static inline uint32_t
function_record (struct lc_thread *thread, void *function)
{
  struct lc_slot *slot = lc_slot_at (thread, function, LC_CLASS_FUNCTION);
  uint32_t id;

  if (LC_UNLIKELY (slot == NULL))
    return 0;
  id = lc_slot_id (slot);
  return LC_LIKELY (id != 0) ? id : functions_describe (slot, function);
}

LC_EXPORT void __cyg_profile_func_enter (void *function, void *caller);
LC_EXPORT void __cyg_profile_func_exit (void *function, void *caller);

LC_EXPORT void
__cyg_profile_func_enter (void *function, void *caller)
{
  struct lc_thread *thread = lc_enter (LC_CLASS_FUNCTION);
  uint32_t record;

  if (thread == NULL || (record = function_record (thread, function)) == EXCLUDED)
    return;
  if (LC_UNLIKELY (record == 0))
    {
      lc_count_lost (thread, LC_LOST_OBJECTS);
      return;
    }
  thread->function_depth++;
  if (depth_limit == 0 || thread->function_depth <= depth_limit)
    lc_append_mark (thread, LC_ENTER, record, lc_now ());
}

LC_EXPORT void
__cyg_profile_func_exit (void *function, void *caller)
{
  struct lc_thread *thread = lc_enter (LC_CLASS_FUNCTION);
  uint64_t at;
  uint32_t record;

  if (thread == NULL)
    return;
  at = lc_now ();
  record = function_record (thread, function);
  if (record == EXCLUDED)
    return;
  if (LC_UNLIKELY (record == 0))
    {
      lc_count_lost (thread, LC_LOST_OBJECTS);
      return;
    }
  if (depth_limit == 0 || thread->function_depth <= depth_limit)
    lc_append_mark (thread, LC_LEAVE, record, at);
  if (thread->function_depth > 0)
    thread->function_depth--;
}
