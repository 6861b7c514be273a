/* SPDX-License-Identifier: Apache-2.0 */
/* Finds out whether a program's file needs a library. */
#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "program.h"

/* Larger dynamic sections do not occur in programs. */
#define DYNAMIC_LIMIT (64u << 10)
#define NAME_LIMIT 256
#define SEGMENTS_LIMIT 256

typedef struct
{
  int file;
  Elf64_Phdr segments[SEGMENTS_LIMIT];
  guint n_segments;
} Image;

static gboolean
image_read (const Image *image, void *bytes, gsize size, guint64 offset)
{
  return offset <= G_MAXINT64 && pread (image->file, bytes, size, (off_t)offset) == (gssize)size;
}

static gboolean
image_read_segments (Image *image)
{
  Elf64_Ehdr header;

  if (!image_read (image, &header, sizeof header, 0) || memcmp (header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_phentsize != sizeof image->segments[0])
    return FALSE;
  image->n_segments = MIN (header.e_phnum, SEGMENTS_LIMIT);
  return image_read (image, image->segments, image->n_segments * sizeof image->segments[0], header.e_phoff);
}

/* Finds the place of an address in the file. */
static guint64
image_find (const Image *image, guint64 address)
{
  for (guint i = 0; i < image->n_segments; i++)
    {
      const Elf64_Phdr *segment = &image->segments[i];

      if (segment->p_type == PT_LOAD && address >= segment->p_vaddr && address - segment->p_vaddr < segment->p_filesz)
        return segment->p_offset + (address - segment->p_vaddr);
    }
  return G_MAXUINT64;
}

static gboolean
image_names (const Image *image, guint64 offset, const char *library)
{
  char name[NAME_LIMIT] = "";
  gssize size = offset <= G_MAXINT64 ? pread (image->file, name, sizeof name - 1, (off_t)offset) : -1;

  return size > 0 && g_str_has_prefix (name, library);
}

static gboolean
image_needs (const Image *image, const Elf64_Phdr *segment, const char *library)
{
  gsize size = (gsize)MIN (segment->p_filesz, DYNAMIC_LIMIT) / sizeof (Elf64_Dyn) * sizeof (Elf64_Dyn);
  g_autofree Elf64_Dyn *entries = g_malloc0 (size + sizeof (Elf64_Dyn));
  guint64 texts = G_MAXUINT64;

  if (!image_read (image, entries, size, segment->p_offset))
    return FALSE;
  for (const Elf64_Dyn *entry = entries; entry->d_tag != DT_NULL; entry++)
    if (entry->d_tag == DT_STRTAB)
      texts = image_find (image, entry->d_un.d_ptr);
  for (const Elf64_Dyn *entry = entries; texts != G_MAXUINT64 && entry->d_tag != DT_NULL; entry++)
    if (entry->d_tag == DT_NEEDED && image_names (image, texts + entry->d_un.d_val, library))
      return TRUE;
  return FALSE;
}

gboolean
lc_program_needs (const char *path, const char *library)
{
  Image image = {.file = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  gboolean found = FALSE;

  if (image.file < 0)
    return FALSE;
  if (image_read_segments (&image))
    for (guint i = 0; i < image.n_segments && !found; i++)
      found = image.segments[i].p_type == PT_DYNAMIC && image_needs (&image, &image.segments[i], library);
  close (image.file);
  return found;
}
