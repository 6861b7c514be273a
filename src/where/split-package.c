/* SPDX-License-Identifier: Apache-2.0 */
/* Takes the unit of one .dwo file out of a .dwp file, into which a packer has put those of a whole program. */
#include "split-package.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/*
 * libdw 0.188 knows no packages. A package has the sections of all its .dwo files one behind the other, and an index:
 * a table of numbers of units, and for each unit where its part of each section begins and how long it is. Offsets in a
 * part count from the beginning of the part, so the parts of a unit make a .dwo file again. Strings are the exception:
 * all units share them, and a unit's table of offsets leads to those that are its own.
 */

/* The kinds of sections in an index; some numbers mean another section in version 2, which is GNU's and of DWARF 4. */
enum
{
  PART_INFO = 1,
  PART_ABBREV = 3,
  PART_LINE = 4,
  PART_LOCATIONS = 5,
  PART_OFFSETS = 6,
  PART_RANGES = 8, /* of version 5 */
  PARTS = 9,
};

#define STRINGS ".debug_str.dwo"
#define OFFSETS ".debug_str_offsets.dwo"

typedef struct
{
  const guint8 *bytes; /* NULL: there is none */
  gsize size;
} PackageBytes;

typedef struct
{
  guint32 version, columns, units, slots;
  const guint8 *numbers, *rows, *kinds, *begins, *sizes;
} PackageIndex;

static const char *
package_section_name (guint32 version, guint32 kind)
{
  static const char *const names[PARTS] = {
      [PART_INFO] = ".debug_info.dwo", [PART_ABBREV] = ".debug_abbrev.dwo",      [PART_LINE] = ".debug_line.dwo",
      [PART_OFFSETS] = OFFSETS,        [PART_LOCATIONS] = ".debug_loclists.dwo", [PART_RANGES] = ".debug_rnglists.dwo",
  };

  if (kind >= PARTS || (version == 2 && kind == PART_RANGES))
    return NULL;
  return version == 2 && kind == PART_LOCATIONS ? ".debug_loc.dwo" : names[kind];
}

/* --- Reading -------------------------------------------------------------------------------------------------- */

static guint32
package_word (const guint8 *bytes)
{
  guint32 value;

  memcpy (&value, bytes, sizeof value);
  return value;
}

static guint64
package_long (const guint8 *bytes)
{
  guint64 value;

  memcpy (&value, bytes, sizeof value);
  return value;
}

static PackageBytes
package_get_section (Elf *elf, const char *name)
{
  size_t names;
  Elf_Scn *section = NULL;

  if (elf_getshdrstrndx (elf, &names) != 0)
    return (PackageBytes){0};
  while ((section = elf_nextscn (elf, section)) != NULL)
    {
      GElf_Shdr header;
      const char *found = gelf_getshdr (section, &header) != NULL ? elf_strptr (elf, names, header.sh_name) : NULL;
      const Elf_Data *data;

      if (g_strcmp0 (found, name) != 0 || header.sh_type == SHT_NOBITS)
        continue;
      if ((header.sh_flags & SHF_COMPRESSED) != 0 && elf_compress (section, 0, 0) < 0)
        break;
      data = elf_rawdata (section, NULL);
      return data != NULL && data->d_buf != NULL ? (PackageBytes){data->d_buf, data->d_size} : (PackageBytes){0};
    }
  return (PackageBytes){0};
}

/* Nothing in the tables is read that does not lie in the section. */
static gboolean
package_read_index (Elf *elf, PackageIndex *index)
{
  enum
  {
    HEADER = 16,
  };
  const PackageBytes all = package_get_section (elf, ".debug_cu_index");
  guint64 cells, bytes;

  if (all.size < HEADER)
    return FALSE;
  index->version = package_word (all.bytes);
  index->columns = package_word (all.bytes + 4);
  index->units = package_word (all.bytes + 8);
  index->slots = package_word (all.bytes + 12);
  if ((index->version != 2 && index->version != 5) || index->columns >= PARTS || index->units > index->slots ||
      index->slots > all.size || index->slots == 0 || (index->slots & (index->slots - 1)) != 0)
    return FALSE;
  cells = (guint64)index->columns * index->units;
  bytes = HEADER + UINT64_C (12) * index->slots + UINT64_C (4) * index->columns + 8 * cells;
  if (bytes > all.size)
    return FALSE;
  index->numbers = all.bytes + HEADER;
  index->rows = index->numbers + UINT64_C (8) * index->slots;
  index->kinds = index->rows + UINT64_C (4) * index->slots;
  index->begins = index->kinds + UINT64_C (4) * index->columns;
  index->sizes = index->begins + 4 * cells;
  return TRUE;
}

/* Returns the unit's row, from 1, or 0: it is not there. */
static guint32
package_find_row (const PackageIndex *index, guint64 id)
{
  const guint64 mask = index->slots - 1;
  guint64 slot = id & mask;

  for (guint32 i = 0; i < index->slots; i++)
    {
      const guint32 row = package_word (index->rows + 4 * slot);

      if (row == 0 || row > index->units)
        return 0;
      if (package_long (index->numbers + 8 * slot) == id)
        return row;
      slot = (slot + (((id >> 32) & mask) | 1)) & mask;
    }
  return 0;
}

static PackageBytes
package_get_part (Elf *elf, const PackageIndex *index, guint32 row, guint32 column, const char *name)
{
  const guint64 cell = UINT64_C (4) * ((guint64)(row - 1) * index->columns + column);
  const guint32 begin = package_word (index->begins + cell), size = package_word (index->sizes + cell);
  const PackageBytes all = package_get_section (elf, name);

  if (all.bytes == NULL || begin > all.size || size > all.size - begin)
    return (PackageBytes){0};
  return (PackageBytes){all.bytes + begin, size};
}

/* --- Strings -------------------------------------------------------------------------------------------------- */

/* How many bytes of a table of offsets come before the first one, and how long an offset is. */
static void
package_measure_offsets (const PackageBytes *table, guint32 version, gsize *header, gsize *width)
{
  const gboolean is_long = version == 5 && table->size >= 16 && package_word (table->bytes) == G_MAXUINT32;

  *width = is_long ? 8 : 4;
  *header = version == 2 ? 0 : is_long ? 16 : 8;
}

/* Replaces a table of offsets and the strings of all units by a table and those strings that it leads to. */
static void
package_cut_strings (const PackageBytes *all, guint32 version, const PackageBytes *table, GByteArray *offsets,
                     GByteArray *strings)
{
  gsize header, width;

  package_measure_offsets (table, version, &header, &width);
  g_byte_array_append (offsets, table->bytes, (guint)table->size);
  g_byte_array_append (strings, (const guint8 *)"", 1);
  for (gsize at = header; at + width <= table->size; at += width)
    {
      const guint64 from = width == 8 ? package_long (table->bytes + at) : package_word (table->bytes + at);
      const guint8 *end = from < all->size ? memchr (all->bytes + from, '\0', all->size - from) : NULL;
      const guint64 to = end != NULL ? strings->len : 0;

      if (end != NULL)
        g_byte_array_append (strings, all->bytes + from, (guint)(end + 1 - (all->bytes + from)));
      memcpy (offsets->data + at, &to, width); /* the machine's order of bytes is the file's, and little-endian */
    }
}

/* --- Writing -------------------------------------------------------------------------------------------------- */

typedef struct
{
  Elf *elf;
  GByteArray *names;
} PackageWriter;

/* The bytes stay the caller's until the file is written. */
static gboolean
package_add_section (PackageWriter *writer, const char *name, guint32 type, const void *bytes, gsize size)
{
  Elf_Scn *section = elf_newscn (writer->elf);
  Elf_Data *data = section != NULL ? elf_newdata (section) : NULL;
  GElf_Shdr header;

  if (data == NULL || gelf_getshdr (section, &header) == NULL)
    return FALSE;
  header.sh_name = writer->names->len;
  header.sh_type = type;
  g_byte_array_append (writer->names, (const guint8 *)name, (guint)strlen (name) + 1);
  data->d_buf = type == SHT_STRTAB ? writer->names->data : (void *)bytes;
  data->d_size = type == SHT_STRTAB ? writer->names->len : size;
  data->d_type = ELF_T_BYTE;
  data->d_align = 1;
  return gelf_update_shdr (section, &header) != 0;
}

static gboolean
package_begin (PackageWriter *writer, Elf *package)
{
  GElf_Ehdr from, header = {0};

  if (gelf_getehdr (package, &from) == NULL || from.e_ident[EI_DATA] != ELFDATA2LSB ||
      gelf_newehdr (writer->elf, from.e_ident[EI_CLASS]) == NULL || gelf_getehdr (writer->elf, &header) == NULL)
    return FALSE;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_type = ET_REL;
  header.e_machine = from.e_machine;
  header.e_version = EV_CURRENT;
  g_byte_array_append (writer->names, (const guint8 *)"", 1);
  return gelf_update_ehdr (writer->elf, &header) != 0;
}

static gboolean
package_end (PackageWriter *writer)
{
  GElf_Ehdr header;
  size_t sections;

  if (!package_add_section (writer, ".shstrtab", SHT_STRTAB, NULL, 0) || elf_getshdrnum (writer->elf, &sections) != 0 ||
      gelf_getehdr (writer->elf, &header) == NULL)
    return FALSE;
  header.e_shstrndx = (GElf_Half)(sections - 1);
  return gelf_update_ehdr (writer->elf, &header) != 0 && elf_update (writer->elf, ELF_C_WRITE) >= 0;
}

static gboolean
package_add_parts (PackageWriter *writer, Elf *package, const PackageIndex *index, guint32 row, GByteArray *offsets,
                   GByteArray *strings)
{
  const PackageBytes all = package_get_section (package, STRINGS);
  gboolean good = TRUE, has_info = FALSE;

  for (guint32 i = 0; good && i < index->columns; i++)
    {
      const guint32 kind = package_word (index->kinds + UINT64_C (4) * i);
      const char *name = package_section_name (index->version, kind);
      const PackageBytes part = name != NULL ? package_get_part (package, index, row, i, name) : (PackageBytes){0};

      if (part.size == 0)
        continue;
      has_info |= kind == PART_INFO;
      if (kind != PART_OFFSETS)
        good = package_add_section (writer, name, SHT_PROGBITS, part.bytes, part.size);
      else if (offsets->len == 0)
        {
          package_cut_strings (&all, index->version, &part, offsets, strings);
          good = package_add_section (writer, OFFSETS, SHT_PROGBITS, offsets->data, offsets->len) &&
                 package_add_section (writer, STRINGS, SHT_PROGBITS, strings->data, strings->len);
        }
    }
  return good && has_info;
}

static gboolean
package_write (Elf *package, const PackageIndex *index, guint32 row, int to)
{
  g_autoptr (GByteArray) names = g_byte_array_new (), offsets = g_byte_array_new (), strings = g_byte_array_new ();
  PackageWriter writer = {elf_begin (to, ELF_C_WRITE, NULL), names};
  gboolean good;

  if (writer.elf == NULL)
    return FALSE;
  good = package_begin (&writer, package) && package_add_parts (&writer, package, index, row, offsets, strings) &&
         package_end (&writer);
  elf_end (writer.elf);
  return good;
}

int
lc_split_package_cut (LcCodeFile *file, guint64 id)
{
  Elf *package = lc_code_file_get_package (file);
  PackageIndex index;
  guint32 row;
  int to;

  if (package == NULL || !package_read_index (package, &index))
    return -1;
  row = package_find_row (&index, id);
  to = row > 0 ? memfd_create ("lightcone-dwo", MFD_CLOEXEC) : -1;
  file->is_split_unread |= row > 0 && to < 0;
  if (to >= 0 && !package_write (package, &index, row, to))
    {
      close (to);
      to = -1;
    }
  return to;
}
