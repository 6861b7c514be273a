/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the profile of this rank as JSON to DIR/rank-N.json. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "lightcone/control.h"
#include "profile.h"
#include "record/recorder.h"

enum
{
  NAME = 256
};

static int file;
static char buffer[1 << 14];
static size_t length;

static void
profile_write_flush (void)
{
  size_t done = 0;

  while (done < length)
    {
      ssize_t n = write (file, buffer + done, length - done);

      if (n <= 0)
        break;
      done += (size_t)n;
    }
  length = 0;
}

__attribute__ ((format (printf, 1, 2))) static void
profile_write_print (const char *format, ...)
{
  va_list arguments;
  int n;

  if (length > sizeof buffer / 2)
    profile_write_flush ();
  va_start (arguments, format);
  n = vsnprintf (buffer + length, sizeof buffer - length, format, arguments);
  va_end (arguments);
  if (n > 0 && length + (size_t)n < sizeof buffer)
    length += (size_t)n;
}

static void
print_string (const char *text)
{
  profile_write_print ("\"");
  for (; *text != '\0'; text++)
    if (*text == '"' || *text == '\\' || (unsigned char)*text < ' ')
      profile_write_print ("\\u%04x", (unsigned int)(unsigned char)*text);
    else
      profile_write_print ("%c", *text);
  profile_write_print ("\"");
}

static void
profile_write_print_times (const char *name, const int64_t times[LC_PROFILE_WAYS])
{
  profile_write_print (", \"%s\": %lld, \"%s_local\": %lld, \"%s_parallel\": %lld", name,
                       (long long)times[LC_PROFILE_NONE], name, (long long)times[LC_PROFILE_LOCAL], name,
                       (long long)times[LC_PROFILE_PARALLEL]);
}

/* Needed by the recorder's reader of symbols, which is also built in here. */
void
lc_file_close (int number)
{
  close (number);
}

/* Finds the function's name in the symbols of its file, or else gives its file and address. */
static void
find_function_name (const void *function, char name[NAME])
{
  struct link_map *map = NULL;
  const char *folder;
  char path[4096];
  ssize_t n = -1;
  Dl_info info;

  if (dladdr1 (function, &info, (void **)&map, RTLD_DL_LINKMAP) == 0 || map == NULL)
    {
      snprintf (name, NAME, "%p", function);
      return;
    }
  if (map->l_name == NULL || map->l_name[0] == '\0')
    n = readlink ("/proc/self/exe", path, sizeof path - 1);
  else if ((n = (ssize_t)strlen (map->l_name)) < (ssize_t)sizeof path)
    memcpy (path, map->l_name, (size_t)n);
  path[n > 0 && n < (ssize_t)sizeof path ? n : 0] = '\0';
  if (lc_symbol_name (path, (uint64_t)(uintptr_t)function - map->l_addr, name, NAME))
    return;
  folder = strrchr (path, '/');
  snprintf (name, NAME, "%.200s+0x%llx", folder != NULL ? folder + 1 : path,
            (unsigned long long)((uintptr_t)function - map->l_addr));
}

/* The name of a function that many paths end with is looked for once. */
static void
print_name (const struct lc_profile_routine *routine)
{
  static char (*names)[NAME]; /* by the routine's number */
  char name[NAME] = "", *known;

  if (names == NULL)
    names = lc_profile_allocate (LC_PROFILE_ROUTINES * sizeof *names);
  known = names != NULL ? names[routine->id] : name;
  if (routine->name == NULL && routine->function != NULL && known[0] == '\0')
    find_function_name (routine->function, known);
  print_string (routine->name != NULL ? routine->name : known);
}

/* Adds up the times of a routine in all threads. */
static struct lc_profile_times
profile_write_sum (uint32_t id)
{
  struct lc_profile_times times = {0};

  for (const struct lc_profile_thread *thread = lc_profile_threads; thread != NULL; thread = thread->next)
    {
      times.calls += thread->times[id].calls;
      times.skipped += thread->times[id].skipped;
      for (int way = 0; way < LC_PROFILE_WAYS; way++)
        {
          times.inclusive[way] += thread->times[id].inclusive[way];
          times.exclusive[way] += thread->times[id].exclusive[way];
          times.waiting[way] += thread->times[id].waiting[way];
        }
    }
  return times;
}

static void
print_routine (const struct lc_profile_routine *routine, const struct lc_profile_times *times)
{
  static const char *const kinds[] = {"mpi", "function", "region", "other"};

  profile_write_print ("\"name\": ");
  print_name (routine);
  profile_write_print (", \"kind\": \"%s\", \"calls\": %llu", kinds[routine->kind], (unsigned long long)times->calls);
  profile_write_print (", \"skipped\": %llu, \"cost\": %lld", (unsigned long long)times->skipped,
                       (long long)((routine->cost.outside + routine->cost.inside) / LC_PROFILE_PARTS));
  profile_write_print_times ("inclusive", times->inclusive);
  profile_write_print_times ("exclusive", times->exclusive);
  profile_write_print_times ("waiting", times->waiting);
  profile_write_print ("}");
}

static void
print_called (const struct lc_profile_routine *routine, bool *is_first)
{
  struct lc_profile_times times = profile_write_sum (routine->id);

  if (times.calls == 0)
    return;
  profile_write_print (*is_first ? "\n  {" : ",\n  {");
  *is_first = false;
  print_routine (routine, &times);
}

/* All routines beyond the limit. */
static const struct lc_profile_routine others = {.kind = LC_PROFILE_KINDS};

static void
print_routines (void)
{
  bool is_first = true;

  profile_write_print (",\n \"routines\": [");
  print_called (&others, &is_first);
  for (const struct lc_profile_routine *routine = lc_profile_routines (); routine != NULL; routine = routine->next)
    print_called (routine, &is_first);
  profile_write_print ("\n ]");
}

static void
print_paths (struct lc_profile_paths *paths, uint64_t without)
{
  static const struct lc_profile_routine *routines[LC_PROFILE_ROUTINES];

  for (uint32_t i = 0; i < LC_PROFILE_ROUTINES; i++)
    routines[i] = &others;
  for (const struct lc_profile_routine *routine = lc_profile_routines (); routine != NULL; routine = routine->next)
    routines[routine->id] = routine;
  profile_write_print (",\n \"calls_without_path\": %llu,\n \"paths\": [", (unsigned long long)without);
  for (uint32_t i = LC_PROFILE_FIRST_PATH; i < lc_profile_paths_end (paths); i++)
    {
      const struct lc_profile_path *path = lc_profile_paths_get (paths, i);

      profile_write_print (i > LC_PROFILE_FIRST_PATH ? ",\n  {\"caller\": %d, " : "\n  {\"caller\": %d, ",
                           (int)path->caller - LC_PROFILE_FIRST_PATH);
      print_routine (routines[path->routine], &path->times);
    }
  profile_write_print ("\n ]");
}

static void
print_rank (struct lc_profile_thread *thread)
{
  uint64_t without = thread->paths != NULL ? lc_profile_paths_gather (thread) : 0;
  int64_t overhead = thread->self.overhead, adjusted = thread->self.adjusted;
  int64_t total[LC_PROFILE_WAYS];
  struct timespec cpu = {0};
  uint64_t too_deep = 0;
  char host[256] = "";

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &cpu);
  gethostname (host, sizeof host - 1);
  total[LC_PROFILE_NONE] = lc_profile_finish - lc_profile_origin;
  total[LC_PROFILE_LOCAL] = total[LC_PROFILE_NONE] - (overhead - lc_profile_before);
  total[LC_PROFILE_PARALLEL] = total[LC_PROFILE_NONE] - (overhead + adjusted);
  profile_write_print ("{\"rank\": %d, \"ranks\": %d, \"pid\": %d, \"host\": ", lc_profile_rank, lc_profile_ranks,
                       (int)getpid ());
  print_string (host);
  profile_write_print (", \"cpu\": %lld", (long long)cpu.tv_sec * 1000000000 + cpu.tv_nsec);
  profile_write_print_times ("total", total);
  profile_write_print (", \"overhead\": %lld, \"delay\": %lld, \"messages\": %llu",
                       (long long)(overhead - lc_profile_before), (long long)(overhead + adjusted),
                       (unsigned long long)lc_profile_messages);
  profile_write_print (
      ", \"call_cost\": %lld, \"function_cost\": %lld, \"carry_cost\": %lld, \"one_clock\": %s",
      (long long)((lc_profile_costs[LC_PROFILE_MPI].inside + lc_profile_costs[LC_PROFILE_MPI].outside) /
                  LC_PROFILE_PARTS),
      (long long)((lc_profile_costs[LC_PROFILE_FUNCTION].inside + lc_profile_costs[LC_PROFILE_FUNCTION].outside) /
                  LC_PROFILE_PARTS),
      (long long)lc_carry_cost (0), lc_profile_one_clock ? "true" : "false");
  for (const struct lc_profile_thread *each = lc_profile_threads; each != NULL; each = each->next)
    too_deep += each->too_deep;
  profile_write_print (", \"calls_too_deep\": %llu", (unsigned long long)too_deep);
  print_routines ();
  if (thread->paths != NULL)
    print_paths (thread->paths, without);
  profile_write_print ("}\n");
}

void
lc_profile_write (void)
{
  static bool is_written;
  struct lc_profile_thread *thread = lc_profile_first;
  const char *directory = getenv (LC_CONTROL_ENVIRONMENT);
  char path[4096];
  int error = errno;

  if (directory == NULL || thread == NULL || getpid () != lc_profile_pid ||
      __atomic_exchange_n (&is_written, true, __ATOMIC_RELAXED))
    return;
  if (lc_profile_finish == 0)
    lc_profile_finish = lc_profile_now ();
  lc_profile_close (thread);
  for (struct lc_profile_thread *other = lc_profile_threads; other != NULL; other = other->next)
    lc_profile_trial_tell (other);
  if (snprintf (path, sizeof path, "%s/rank-%d.json", directory, lc_profile_rank) < (int)sizeof path)
    {
      file = open (path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
      if (file >= 0)
        {
          print_rank (thread);
          profile_write_flush ();
          close (file);
        }
    }
  errno = error;
}
