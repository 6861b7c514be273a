/* SPDX-License-Identifier: Apache-2.0 */
/* Gets the library that records MPI's calls into MPI programs: executes them once more with the library preloaded. */
#include "mpi.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "environment.h"
#include "lightcone/replay-mpi-plan.h"
#include "recorder.h"

#define SELF "/proc/self/exe"

/* From the dynamic linker: the stack at the program's begin. */
extern void *__libc_stack_end;

enum
{
  COMMAND = 16, /* most bytes of a thread's name */
  LIBRARIES = 2 * PATH_MAX + 1,
};

/* MPI implementations, each with a symbol that only it has. */
static const struct
{
  const char *name, *symbol, *library;
} implementations[] = {{"openmpi", "ompi_mpi_comm_world", "libmpi.so.40"}, {"mpich", "MPIR_Dup_fn", "libmpich.so.12"}};

enum
{
  IMPLEMENTATIONS = sizeof implementations / sizeof implementations[0]
};

/* The program has already been executed again; what was found out then. */
static bool has_been_tried, is_known, is_here;

static const char *
mpi_base_name (const char *path)
{
  const char *slash = strrchr (path, '/');

  return slash != NULL ? slash + 1 : path;
}

static bool
begins_with (const char *text, const char *prefix)
{
  return strncmp (text, prefix, strlen (prefix)) == 0;
}

static void
mpi_tell (enum lc_mpi_trouble trouble)
{
  is_known = true;
  __atomic_or_fetch (&lc_control->mpi_trouble, (uint32_t)trouble, __ATOMIC_RELAXED);
}

/* --- Launchers --------------------------------------------------------------------------------------------- */

/* Returns the path of the program's file; empty: unknown. */
static const char *
program_path (char path[static PATH_MAX])
{
  ssize_t length = readlink (SELF, path, PATH_MAX - 1);

  path[length > 0 ? length : 0] = '\0';
  return path;
}

bool
lc_mpi_is_launcher (void)
{
  static const char *const names[] = {
      "mpirun",  "mpiexec", "orterun", "orted", "prterun",    "prted",           "prte",
      "prun",    "srun",    "aprun",   "jsrun", "mpirun_rsh", "hydra_pmi_proxy", "hydra_bstrap_proxy",
      "mpispawn"};
  const char *started = (const char *)getauxval (AT_EXECFN), *name;
  static char path[PATH_MAX];

  name = program_path (path)[0] != '\0' ? mpi_base_name (path) : started != NULL ? mpi_base_name (started) : "";
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strcmp (name, names[i]) == 0)
      return true;
  return begins_with (name, "mpirun.") || begins_with (name, "mpiexec.");
}

/* --- Loaded libraries -------------------------------------------------------------------------------------- */

/* The library of a replay tells the recorder what it does, if that records. */
static void
library_name (char name[static NAME_MAX], int implementation)
{
  const bool is_replay = lc_control->purpose == LC_PURPOSE_REPLAY || getenv (LC_REPLAY_MPI_ENVIRONMENT) != NULL;

  strcpy (name, lc_control->purpose == LC_PURPOSE_PROFILE ? "liblightcone-profile-"
                : is_replay                               ? "liblightcone-replay-mpi-"
                                                          : "liblightcone-mpi-");
  strcat (name, implementations[implementation].name);
  strcat (name, ".so");
}

struct loaded
{
  bool mpi;
  bool ours[IMPLEMENTATIONS];
};

static int
mpi_look_at (struct dl_phdr_info *info, size_t size, void *data)
{
  struct loaded *loaded = data;
  const char *name = mpi_base_name (info->dlpi_name != NULL ? info->dlpi_name : "");
  char ours[NAME_MAX];

  if (begins_with (name, "libmpi.so") || begins_with (name, "libmpich"))
    loaded->mpi = true;
  for (int i = 0; i < IMPLEMENTATIONS; i++)
    {
      library_name (ours, i);
      loaded->ours[i] |= strcmp (name, ours) == 0;
    }
  return 0;
}

/* Returns IMPLEMENTATIONS if none is known. */
static int
find_implementation (void)
{
  int found = 0;

  while (found < IMPLEMENTATIONS && dlsym (RTLD_DEFAULT, implementations[found].symbol) == NULL)
    {
      dlerror (); /* clears the error, which the program would take for its own */
      found++;
    }
  return found;
}

/* --- Executing again --------------------------------------------------------------------------------------- */

/* Looks for the library beside the recorder, and where it was built. */
static bool
find_library (char path[static PATH_MAX], int implementation)
{
  static const char *const folders[] = {"", "../mpi/"};
  const char *recorder = getenv (LC_CONTROL_PRELOAD);
  size_t folder = recorder != NULL ? (size_t)(mpi_base_name (recorder) - recorder) : 0;
  char name[NAME_MAX];

  library_name (name, implementation);
  for (size_t i = 0; i < 2 && folder > 0; i++)
    {
      if (folder + strlen (folders[i]) + strlen (name) >= PATH_MAX)
        continue;
      memcpy (path, recorder, folder);
      strcpy (path + folder, folders[i]);
      strcat (path, name);
      if (access (path, R_OK) == 0)
        return true;
    }
  return false;
}

static bool
mpi_is_same_file (const char *path, const struct stat *wanted)
{
  struct stat status;

  return stat (path, &status) == 0 && status.st_dev == wanted->st_dev && status.st_ino == wanted->st_ino;
}

/*
 * Returns the path to execute: the name the program was called by, so that it finds itself as before; if that is
 * something else (a script, or a replaced file), the path of its file; or else the link that leads even to a deleted
 * file. NULL: none of them works.
 */
static const char *
find_program (char path[static PATH_MAX])
{
  const char *called = (const char *)getauxval (AT_EXECFN);
  struct stat self;

  if (stat (SELF, &self) != 0)
    return NULL;
  if (called != NULL && mpi_is_same_file (called, &self))
    return called;
  return mpi_is_same_file (program_path (path), &self) ? path : SELF;
}

/* Finds the arguments on the stack, because the constructor of another library may call the recorder without them.
 * NULL: not found. */
static char **
find_arguments (void)
{
  const long *count = __libc_stack_end;
  char **arguments = (char **)(uintptr_t)(count + 1);

  if (*count < 1 || arguments[*count] != NULL || arguments[0] != program_invocation_name)
    return NULL;
  return arguments;
}

/* Executes the program again, and returns only on failure. `libraries` are preloaded, separated by colons. */
static void
mpi_execute (const char *libraries, const sigset_t *signals)
{
  static char path[PATH_MAX];
  const char *program = find_program (path);
  char **arguments = find_arguments (), *const * environment;
  char mark[sizeof LC_CONTROL_MPI "=" + COMMAND + LIBRARIES] = LC_CONTROL_MPI "=";
  sigset_t all;

  if (program == NULL || arguments == NULL)
    return;
  prctl (PR_GET_NAME, mark + sizeof LC_CONTROL_MPI);
  strcat (mark, libraries);
  environment =
      lc_environment_with (environ, libraries, mark, __builtin_alloca (lc_environment_with_needs (environ, libraries)));
  syscall (SYS_rt_sigprocmask, SIG_SETMASK, signals, &all, 8);
  syscall (SYS_execve, program, arguments, environment);
  syscall (SYS_rt_sigprocmask, SIG_SETMASK, &all, NULL, 8);
}

/* `mpi`: an MPI library that is loaded here and has to be preloaded too, because our library needs it; or NULL. */
static void
begin_again (int implementation, const struct link_map *mpi, const sigset_t *signals)
{
  static char libraries[LIBRARIES];

  if (!find_library (libraries, implementation))
    mpi_tell (LC_MPI_NO_LIBRARY);
  else if (getauxval (AT_SECURE) != 0)
    mpi_tell (LC_MPI_PRIVILEGED);
  else if (getauxval (AT_BASE) == 0)
    mpi_tell (LC_MPI_LINKER);
  else
    {
      if (mpi != NULL)
        strcat (strcat (libraries, ":"), mpi->l_name);
      mpi_execute (libraries, signals);
      mpi_tell (LC_MPI_NO_EXEC);
    }
}

/* Loads MPI early, because the program may load it only later. If MPI is not found, nothing happens. */
static void
begin_early (const sigset_t *signals)
{
  uint32_t wanted = lc_control->mpi - LC_MPI_OPENMPI;
  struct link_map *map;
  void *library;

  if (lc_control->mpi == LC_MPI_AUTOMATIC || wanted >= IMPLEMENTATIONS)
    return;
  library = dlopen (implementations[wanted].library, RTLD_LAZY | RTLD_LOCAL);
  if (library == NULL)
    {
      dlerror ();
      return;
    }
  if (dlinfo (library, RTLD_DI_LINKMAP, &map) == 0 && strcspn (map->l_name, ": ") == strnlen (map->l_name, PATH_MAX))
    begin_again ((int)wanted, map, signals);
  dlclose (library);
}

void
lc_mpi_begin (const sigset_t *signals)
{
  struct loaded loaded = {0};
  int implementation;

  dl_iterate_phdr (mpi_look_at, &loaded);
  is_here = loaded.mpi;
  if (!loaded.mpi && has_been_tried)
    mpi_tell (LC_MPI_NOT_LOADED);
  if (!loaded.mpi)
    {
      if (!has_been_tried)
        begin_early (signals);
      return;
    }
  implementation = find_implementation ();
  if (implementation == IMPLEMENTATIONS)
    mpi_tell (LC_MPI_UNKNOWN);
  else if (loaded.ours[implementation])
    {
      is_known = true;
      __atomic_or_fetch (&lc_control->mpi_found, UINT32_C (1) << (LC_MPI_OPENMPI + implementation), __ATOMIC_RELAXED);
    }
  else if (has_been_tried)
    mpi_tell (LC_MPI_NOT_LOADED);
  else
    begin_again (implementation, NULL, signals);
}

bool
lc_mpi_is_here (void)
{
  return is_here;
}

void
lc_mpi_end (void)
{
  struct loaded loaded = {0};

  if (lc_control == NULL || is_known)
    return;
  dl_iterate_phdr (mpi_look_at, &loaded);
  for (int i = 0; i < IMPLEMENTATIONS; i++)
    loaded.mpi &= !loaded.ours[i];
  if (loaded.mpi)
    mpi_tell (LC_MPI_LATE);
}

/* The mark is the program's name, without a slash, followed by libraries that begin with one. */
void
lc_mpi_clean (void)
{
  char *mark = lc_environment_take (LC_CONTROL_MPI), *libraries = mark != NULL ? strchr (mark, '/') : NULL;
  char name[COMMAND] = "";

  if (libraries == NULL)
    return;
  has_been_tried = true;
  lc_environment_without (libraries);
  if ((size_t)(libraries - mark) < sizeof name)
    prctl (PR_SET_NAME, memcpy (name, mark, (size_t)(libraries - mark)));
}
