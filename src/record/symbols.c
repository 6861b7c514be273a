/* SPDX-License-Identifier: Apache-2.0 */
/* Finds names of functions in a file's symbol table, for patterns; reads in place, because nothing may be allocated. */
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sites.h"

struct image
{
  const unsigned char *bytes;
  size_t size;
};

static const void *
symbols_piece (const struct image *image, uint64_t offset, uint64_t size)
{
  return offset <= image->size && size <= image->size - offset ? image->bytes + offset : NULL;
}

/* Finds the last function symbol at or before the offset that extends over it. */
static const ElfW (Sym) * symbols_search (const struct image *image, const ElfW (Shdr) * section, uint64_t offset)
{
  const ElfW (Sym) *symbols = symbols_piece (image, section->sh_offset, section->sh_size), *best = NULL;
  size_t count = section->sh_size / sizeof *symbols;

  for (size_t i = 0; symbols != NULL && i < count; i++)
    {
      const ElfW (Sym) *symbol = &symbols[i];

      if (ELF64_ST_TYPE (symbol->st_info) != STT_FUNC || symbol->st_shndx == SHN_UNDEF || symbol->st_value > offset)
        continue;
      if (symbol->st_size != 0 && offset - symbol->st_value >= symbol->st_size)
        continue;
      if (best == NULL || symbol->st_value > best->st_value)
        best = symbol;
    }
  return best;
}

static bool
symbols_find_name (const struct image *image, uint64_t offset, char *name, size_t size)
{
  const ElfW (Ehdr) *header = symbols_piece (image, 0, sizeof *header);
  const ElfW (Shdr) * sections;

  if (header == NULL || memcmp (header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_shentsize != sizeof *sections)
    return false;
  sections = symbols_piece (image, header->e_shoff, (uint64_t)header->e_shnum * sizeof *sections);
  for (unsigned int i = 0; sections != NULL && i < header->e_shnum; i++)
    {
      const ElfW (Sym) * symbol;
      const char *strings;
      size_t room;

      if (sections[i].sh_type != SHT_SYMTAB && sections[i].sh_type != SHT_DYNSYM)
        continue;
      symbol = symbols_search (image, &sections[i], offset);
      if (symbol == NULL || sections[i].sh_link >= header->e_shnum)
        continue;
      strings = symbols_piece (image, sections[sections[i].sh_link].sh_offset, sections[sections[i].sh_link].sh_size);
      room = sections[sections[i].sh_link].sh_size;
      if (strings == NULL || symbol->st_name >= room)
        continue;
      room -= symbol->st_name;
      room = strnlen (strings + symbol->st_name, room < size - 1 ? room : size - 1);
      memcpy (name, strings + symbol->st_name, room);
      name[room] = '\0';
      return room > 0;
    }
  return false;
}

struct loading
{
  const char *path;
  struct image image; /* bytes NULL: unreadable */
};

static void
loading_run (void *data)
{
  struct loading *loading = data;
  int file = (int)syscall (SYS_openat, AT_FDCWD, loading->path, O_RDONLY | O_CLOEXEC);
  struct stat status;
  void *bytes = MAP_FAILED;

  if (file < 0)
    return;
  if (fstat (file, &status) == 0 && S_ISREG (status.st_mode) && status.st_size > 0)
    bytes = mmap (NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
  lc_file_close (file);
  if (bytes != MAP_FAILED)
    loading->image = (struct image){bytes, (size_t)status.st_size};
}

bool
lc_symbol_name (const char *path, uint64_t offset, char *name, size_t size)
{
  struct loading loading = {.path = path};
  bool found;

  lc_elsewhere (loading_run, &loading);
  if (loading.image.bytes == NULL)
    return false;
  found = symbols_find_name (&loading.image, offset, name, size);
  munmap ((void *)(uintptr_t)loading.image.bytes, loading.image.size);
  return found;
}

/* --- Functions of libraries that are part of a program ------------------------------------------------------------ */

static bool
symbols_begins (const char *name, const char *prefix)
{
  return strncmp (name, prefix, strlen (prefix)) == 0;
}

/* Tells whether a function is one of record.h, or a part of one. */
static bool
symbols_are_ours (const char *name)
{
  static const char *const ours[] = {"advance", "await",      "barrier_", "channel_", "crew_",   "enter",
                                     "handle_", "leave",      "read_",    "write_",   "receive", "send",
                                     "tag",     "semaphore_", "snapshot", "sync_",    "turn_"},
                           *const parts[] = {"program_await",           "program_barrier_await",
                                             "program_barrier_begin",   "program_channel_begin",
                                             "program_channel_send",    "program_crew_begin",
                                             "program_semaphore_begin", "program_sync_begin"};

  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
    if (strcmp (name, parts[i]) == 0)
      return true;
  for (size_t i = 0; symbols_begins (name, "lc_") && i < sizeof ours / sizeof ours[0]; i++)
    if (symbols_begins (name + 3, ours[i]))
      return true;
  return false;
}

/* Tells whose a function is that is in the program: templates and inline functions of the C++ library and all of the
 * Rust library are compiled into it, and so is the library that programs link for Lightcone. */
static enum lc_author
symbols_author (const char *name)
{
  static const char *const language[] = {"_ZNSt",         "_ZNKSt",         "_ZSt",    "_ZZNSt",   "_ZZNKSt",  "_ZZSt",
                                         "_ZN9__gnu_cxx", "_ZNK9__gnu_cxx", "_ZN3std", "_ZN4core", "_ZN5alloc"},
                           *const after_number[] = {"_$LT$std..", "_$LT$core..", "_$LT$alloc.."},
                           *const library[] = {"execute_native_thread_routine", "__gthread_"};

  for (size_t i = 0; i < sizeof library / sizeof library[0]; i++)
    if (symbols_begins (name, library[i]))
      return LC_AUTHOR_LIBRARY;
  if (name[0] != '_')
    return symbols_are_ours (name) ? LC_AUTHOR_LIBRARY : LC_AUTHOR_PROGRAM;
  for (size_t i = 0; i < sizeof language / sizeof language[0]; i++)
    if (symbols_begins (name, language[i]))
      return LC_AUTHOR_LANGUAGE;
  if (!symbols_begins (name, "_ZL") && !symbols_begins (name, "_ZN"))
    return LC_AUTHOR_PROGRAM;
  name += 3;
  while (*name >= '0' && *name <= '9')
    name++;
  if (symbols_begins (name, "__gthread_"))
    return LC_AUTHOR_LIBRARY;
  for (size_t i = 0; i < sizeof after_number / sizeof after_number[0]; i++)
    if (symbols_begins (name, after_number[i]))
      return LC_AUTHOR_LANGUAGE;
  return LC_AUTHOR_PROGRAM;
}

/* Finds the symbols and their names: those of the debugger if they are there, else those of the dynamic linker. */
static const ElfW (Sym) * symbols_table (const struct image *image, size_t *n, const char **names, uint64_t *names_size)
{
  const ElfW (Ehdr) *header = symbols_piece (image, 0, sizeof *header);
  const ElfW (Shdr) * sections, *best = NULL;

  if (header == NULL || memcmp (header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_shentsize != sizeof *sections)
    return NULL;
  sections = symbols_piece (image, header->e_shoff, (uint64_t)header->e_shnum * sizeof *sections);
  for (unsigned int i = 0; sections != NULL && i < header->e_shnum; i++)
    if (sections[i].sh_type == SHT_SYMTAB || (sections[i].sh_type == SHT_DYNSYM && best == NULL))
      best = &sections[i];
  if (best == NULL || best->sh_link >= header->e_shnum)
    return NULL;
  *names_size = sections[best->sh_link].sh_size;
  *names = symbols_piece (image, sections[best->sh_link].sh_offset, *names_size);
  if (*names == NULL || *names_size == 0 || (*names)[*names_size - 1] != '\0')
    return NULL;
  *n = best->sh_size / sizeof (ElfW (Sym));
  return symbols_piece (image, best->sh_offset, best->sh_size);
}

/* Puts the functions of libraries into `ranges`, or counts them if that is NULL. */
static size_t
symbols_list (const struct image *image, struct lc_range *ranges, size_t room)
{
  const char *names = NULL;
  uint64_t names_size = 0;
  size_t n = 0, found = 0;
  const ElfW (Sym) *symbols = symbols_table (image, &n, &names, &names_size);

  for (size_t i = 0; symbols != NULL && i < n; i++)
    {
      const ElfW (Sym) *symbol = &symbols[i];
      enum lc_author author;

      if (ELF64_ST_TYPE (symbol->st_info) != STT_FUNC || symbol->st_shndx == SHN_UNDEF || symbol->st_size == 0 ||
          symbol->st_name >= names_size)
        continue;
      author = symbols_author (names + symbol->st_name);
      if (author == LC_AUTHOR_PROGRAM)
        continue;
      if (ranges != NULL && found < room)
        ranges[found] = (struct lc_range){symbol->st_value, symbol->st_value + symbol->st_size, author};
      found++;
    }
  return found;
}

static void
symbols_sift (struct lc_range *ranges, size_t root, size_t n)
{
  const struct lc_range moved = ranges[root];
  size_t child;

  while ((child = 2 * root + 1) < n)
    {
      if (child + 1 < n && ranges[child + 1].begin > ranges[child].begin)
        child++;
      if (ranges[child].begin <= moved.begin)
        break;
      ranges[root] = ranges[child];
      root = child;
    }
  ranges[root] = moved;
}

/* Sorts in place, without memory of its own. */
static void
symbols_sort (struct lc_range *ranges, size_t n)
{
  for (size_t i = n / 2; i-- > 0;)
    symbols_sift (ranges, i, n);
  for (size_t i = n; i-- > 1;)
    {
      const struct lc_range largest = ranges[0];

      ranges[0] = ranges[i];
      ranges[i] = largest;
      symbols_sift (ranges, 0, i);
    }
}

void
lc_symbols_list_libraries (const char *path, struct lc_ranges *ranges)
{
  struct loading loading = {.path = path};
  void *memory;
  size_t n;

  lc_elsewhere (loading_run, &loading);
  if (loading.image.bytes == NULL)
    return;
  n = symbols_list (&loading.image, NULL, 0);
  memory = n == 0 ? MAP_FAILED
                  : mmap (NULL, n * sizeof *ranges->ranges, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory != MAP_FAILED)
    {
      ranges->ranges = memory;
      ranges->bytes = n * sizeof *ranges->ranges;
      symbols_list (&loading.image, ranges->ranges, n);
      symbols_sort (ranges->ranges, n);
      ranges->n = n;
    }
  munmap ((void *)(uintptr_t)loading.image.bytes, loading.image.size);
}
