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

#include "recorder.h"

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
