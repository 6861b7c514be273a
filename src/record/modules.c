/* SPDX-License-Identifier: Apache-2.0 */
/* The files of code that the program has loaded, as far as it was seen in them. */
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sites.h"

enum
{
  MODULES = 4096,
  BUILD_ID = 64,     /* bytes, at most */
  FIRST_PAGE = 4096, /* of a file, which is always loaded */
};

static struct lc_module *modules; /* NULL: no memory yet */
static size_t n_modules;

/* Room for a path and for a name, because the program's stacks may be small. */
struct scratch
{
  char path[PATH_MAX], name[PATH_MAX + 1 + 2 * BUILD_ID];
};

uint32_t lc_modules_listed;

void
lc_modules_forget (void)
{
  for (size_t i = 0; i < n_modules; i++)
    modules[i].record = 0;
}

#if __GLIBC_PREREQ(2, 35)
static bool
modules_search (const void *address, struct dl_find_object *found)
{
  return _dl_find_object ((void *)(uintptr_t)address, found) == 0;
}
#else
#error "this C library cannot find modules without a lock"
#endif

/* The program itself has no name in its link map. */
static const char *
modules_path_of (const struct link_map *map, char *buffer)
{
  ssize_t length;

  if (map->l_name != NULL && map->l_name[0] != '\0')
    return map->l_name;
  length = (ssize_t)syscall (SYS_readlinkat, AT_FDCWD, "/proc/self/exe", buffer, PATH_MAX - 1);
  buffer[length > 0 ? length : 0] = '\0';
  return buffer;
}

const char *
lc_module_path (const void *address, char *buffer)
{
  struct dl_find_object found;

  return modules_search (address, &found) ? modules_path_of (found.dlfo_link_map, buffer) : "";
}

/* --- Headers ------------------------------------------------------------------------------------------------------ */

/* What is looked for among the program headers of all modules. */
struct search
{
  uintptr_t base;
  const ElfW (Phdr) * headers; /* NULL: not found yet */
  size_t n;
};

static int
modules_compare (struct dl_phdr_info *info, size_t size, void *data)
{
  struct search *search = data;

  if (info->dlpi_addr != search->base)
    return 0;
  search->headers = info->dlpi_phdr;
  search->n = info->dlpi_phnum;
  return 1;
}

/* The program headers of a module. Mostly they are in its first page; tools that rewrite files put them elsewhere. */
static const ElfW (Phdr) * modules_headers (const struct dl_find_object *found, size_t *n)
{
  const ElfW (Ehdr) *header = found->dlfo_map_start;
  struct search search = {.base = found->dlfo_link_map->l_addr};

  *n = 0;
  if (memcmp (header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_phentsize != sizeof (ElfW (Phdr)))
    return NULL;
  if (header->e_phoff > FIRST_PAGE || header->e_phnum > (FIRST_PAGE - header->e_phoff) / sizeof (ElfW (Phdr)))
    {
      dl_iterate_phdr (modules_compare, &search);
      *n = search.n;
      return search.headers;
    }
  *n = header->e_phnum;
  return (const void *)((const char *)header + header->e_phoff);
}

/* Limits what is read of the tables to the loaded segment that they are in. */
static void
modules_bound_frames (struct lc_module *module, const struct dl_find_object *found)
{
  const unsigned char *frames = found->dlfo_eh_frame;
  size_t n;
  const ElfW (Phdr) *headers = modules_headers (found, &n);

  for (size_t i = 0; frames != NULL && i < n; i++)
    {
      const unsigned char *begin = (const unsigned char *)(module->base + headers[i].p_vaddr);

      if (headers[i].p_type == PT_LOAD && frames >= begin && frames < begin + headers[i].p_filesz)
        {
          module->frames = frames;
          module->bounds = (struct lc_frame_bounds){begin, begin + headers[i].p_filesz};
          return;
        }
    }
}

static size_t
modules_note_id (const unsigned char *note, size_t bytes, unsigned char *id)
{
  while (bytes >= sizeof (ElfW (Nhdr)))
    {
      const ElfW (Nhdr) *header = (const void *)note;
      size_t name = (header->n_namesz + 3u) & ~(size_t)3, size = (header->n_descsz + 3u) & ~(size_t)3;

      if (name > bytes - sizeof *header || size > bytes - sizeof *header - name)
        return 0;
      if (header->n_type == NT_GNU_BUILD_ID && header->n_namesz == 4 && memcmp (header + 1, "GNU", 4) == 0 &&
          header->n_descsz <= BUILD_ID)
        {
          memcpy (id, note + sizeof *header + name, header->n_descsz);
          return header->n_descsz;
        }
      note += sizeof *header + name + size;
      bytes -= sizeof *header + name + size;
    }
  return 0;
}

static size_t
modules_build_id (const struct dl_find_object *found, uintptr_t base, unsigned char *id)
{
  size_t n, length = 0;
  const ElfW (Phdr) *headers = modules_headers (found, &n);

  for (size_t i = 0; length == 0 && i < n; i++)
    if (headers[i].p_type == PT_NOTE && headers[i].p_align <= 4)
      length = modules_note_id ((const unsigned char *)(base + headers[i].p_vaddr), headers[i].p_memsz, id);
  return length;
}

/* --- Libraries ---------------------------------------------------------------------------------------------------- */

/* Tells whether the program's author did not write the module: a call from there is told as that of its caller. */
static bool
modules_are_libraries (const char *path)
{
  static const char *const names[] = {
#define X(name) name,
      LC_RUNTIME_MODULES (X)
#undef X
  };
  const char *slash = strrchr (path, '/'), *name = slash != NULL ? slash + 1 : path;

  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strncmp (name, names[i], strlen (names[i])) == 0)
      return true;
  return false;
}

enum lc_author
lc_module_author (const struct lc_module *module, uintptr_t address)
{
  const struct lc_range *ranges = module->libraries.ranges;
  uint64_t offset = address - module->base;
  size_t low = 0, high = module->libraries.n;

  if (module->is_library)
    return LC_AUTHOR_LIBRARY;
  while (low < high)
    {
      size_t middle = low + (high - low) / 2;

      if (ranges[middle].begin <= offset)
        low = middle + 1;
      else
        high = middle;
    }
  return low > 0 && offset < ranges[low - 1].end ? ranges[low - 1].author : LC_AUTHOR_PROGRAM;
}

/* --- Finding ------------------------------------------------------------------------------------------------------ */

static struct scratch *
modules_scratch (void)
{
  void *memory = mmap (NULL, sizeof (struct scratch), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  return memory == MAP_FAILED ? NULL : memory;
}

static uint64_t
modules_hash (uint64_t hash, const void *bytes, size_t n)
{
  const unsigned char *at = bytes;

  for (size_t i = 0; i < n; i++)
    hash = (hash ^ at[i]) * UINT64_C (0x100000001B3);
  return hash;
}

/* Writes the record, whose name is the path and the digits of the build-id. */
static uint32_t
modules_record (const struct lc_module *module, const struct link_map *map, const unsigned char *id, size_t id_length)
{
  static const char digits[] = "0123456789abcdef";
  struct lc_object_record record = {.object_class = LC_CLASS_MODULE, .address = module->base, .value = module->end};
  struct scratch *scratch = modules_scratch ();
  const char *path = scratch != NULL ? modules_path_of (map, scratch->path) : "";
  size_t length = strnlen (path, PATH_MAX - 1);
  uint32_t number;

  if (scratch == NULL)
    return 0;
  memcpy (scratch->name, path, length);
  for (size_t i = 0; i < id_length; i++)
    {
      scratch->name[length + 1 + 2 * i] = digits[id[i] >> 4];
      scratch->name[length + 2 + 2 * i] = digits[id[i] & 15];
    }
  number = lc_object_new_bytes (&record, scratch->name, length + (id_length > 0 ? 1 + 2 * id_length : 0));
  munmap (scratch, sizeof *scratch);
  return number;
}

static void
modules_forget_overlapped (const struct lc_module *module)
{
  for (size_t i = 0; i < n_modules; i++)
    if (modules[i].begin < module->end && module->begin < modules[i].end)
      {
        if (modules[i].libraries.ranges != NULL)
          munmap (modules[i].libraries.ranges, modules[i].libraries.bytes);
        memset (&modules[i], 0, sizeof modules[i]);
      }
}

/* Finds room for another module. When there is none, all are forgotten, and recorded again when they are seen. */
static struct lc_module *
modules_room (void)
{
  if (modules == NULL)
    {
      void *memory = mmap (NULL, MODULES * sizeof *modules, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

      if (memory == MAP_FAILED)
        return NULL;
      modules = memory;
    }
  for (size_t i = 0; i < n_modules; i++)
    if (modules[i].end == 0)
      return &modules[i];
  if (n_modules == MODULES)
    n_modules = 0;
  return &modules[n_modules++];
}

static struct lc_module *
modules_add (const struct dl_find_object *found, const struct lc_module *seen)
{
  struct scratch *scratch = modules_scratch ();
  struct lc_module *module;
  const char *path;

  if (scratch == NULL)
    return NULL;
  path = modules_path_of (found->dlfo_link_map, scratch->path);
  modules_forget_overlapped (seen);
  module = modules_room ();
  if (module == NULL)
    {
      munmap (scratch, sizeof *scratch);
      return NULL;
    }
  *module = *seen;
  module->is_library = modules_are_libraries (path);
  module->is_ours = module->begin <= (uintptr_t)&modules && (uintptr_t)&modules < module->end;
  modules_bound_frames (module, found);
  if (!module->is_library)
    {
      lc_symbols_list_libraries (path, &module->libraries);
      lc_modules_listed++;
    }
  munmap (scratch, sizeof *scratch);
  return module;
}

struct lc_module *
lc_module_find (const void *address, bool recorded)
{
  struct dl_find_object found;
  struct lc_module seen = {0}, *module = NULL;
  unsigned char id[BUILD_ID];
  size_t id_length;
  const char *name;

  if (!modules_search (address, &found))
    return NULL;
  seen.begin = (uintptr_t)found.dlfo_map_start;
  seen.end = (uintptr_t)found.dlfo_map_end;
  seen.base = found.dlfo_link_map->l_addr;
  id_length = modules_build_id (&found, seen.base, id);
  name = found.dlfo_link_map->l_name != NULL ? found.dlfo_link_map->l_name : "";
  seen.identity = modules_hash (modules_hash (UINT64_C (0xCBF29CE484222325), name, strlen (name)), id, id_length);
  for (size_t i = 0; i < n_modules && module == NULL; i++)
    if (modules[i].begin == seen.begin && modules[i].end == seen.end && modules[i].identity == seen.identity)
      module = &modules[i];
  if (module == NULL)
    module = modules_add (&found, &seen);
  if (module != NULL && module->record == 0 && recorded)
    module->record = modules_record (module, found.dlfo_link_map, id, id_length);
  return module;
}

uint32_t
lc_module_see (const void *address, uint64_t *base)
{
  const struct lc_module *module;
  uint32_t record;

  lc_lock (&lc_sites_lock);
  module = lc_module_find (address, true);
  record = module != NULL ? module->record : 0;
  *base = module != NULL ? module->base : 0;
  lc_unlock (&lc_sites_lock);
  return record;
}
