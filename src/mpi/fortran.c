/* SPDX-License-Identifier: Apache-2.0 */
/* Fortran: leads the calls of MPI's Fortran libraries from PMPI_X to our MPI_X. */
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/*
 * An MPI has libraries that turn the calls of a Fortran program (mpif.h, `use mpi`, `use mpi_f08`) into calls of C:
 * they convert handles, statuses, logicals and indices, and know the addresses of MPI_BOTTOM and the like. Some of them
 * call MPI_X (MPICH, except where `use mpi_f08` needs a descriptor), so these calls reach our wrappers anyway. Others
 * call PMPI_X (all of Open MPI's); the slots through which they do are redirected to our functions. So each call from
 * Fortran is converted by the library made for it, and functions that we do not define stay as they were.
 */

/* The first parts of the names of such libraries. */
static const char *const fortran_libraries[] = {"libmpi_mpifh", "libmpi_usempif08", "libmpichfort", "libmpifort"};

struct dynamic
{
  const ElfW (Sym) * symbols;
  const char *names;
  struct
  {
    const ElfW (Rela) * first;
    size_t bytes;
  } tables[2];                        /* relocations of functions, and of other addresses */
  uintptr_t protected, protected_end; /* read-only since relocation */
};

static bool
is_fortran (const char *path)
{
  const char *name = strrchr (path, '/') != NULL ? strrchr (path, '/') + 1 : path;

  for (size_t i = 0; i < sizeof fortran_libraries / sizeof *fortran_libraries; i++)
    if (strncmp (name, fortran_libraries[i], strlen (fortran_libraries[i])) == 0)
      return true;
  return false;
}

/* Some loaders leave addresses in the dynamic section as they are in the file. */
static const void *
fortran_address_of (const struct dl_phdr_info *library, ElfW (Addr) value)
{
  return (const void *)(value < library->dlpi_addr ? library->dlpi_addr + value : value);
}

static void
read_dynamic (const struct dl_phdr_info *library, const ElfW (Dyn) * entry, struct dynamic *dynamic)
{
  bool has_addends = true;

  for (; entry->d_tag != DT_NULL; entry++)
    switch (entry->d_tag)
      {
      case DT_SYMTAB:
        dynamic->symbols = fortran_address_of (library, entry->d_un.d_ptr);
        break;
      case DT_STRTAB:
        dynamic->names = fortran_address_of (library, entry->d_un.d_ptr);
        break;
      case DT_JMPREL:
        dynamic->tables[0].first = fortran_address_of (library, entry->d_un.d_ptr);
        break;
      case DT_PLTRELSZ:
        dynamic->tables[0].bytes = entry->d_un.d_val;
        break;
      case DT_PLTREL:
        has_addends = entry->d_un.d_val == DT_RELA;
        break;
      case DT_RELA:
        dynamic->tables[1].first = fortran_address_of (library, entry->d_un.d_ptr);
        break;
      case DT_RELASZ:
        dynamic->tables[1].bytes = entry->d_un.d_val;
        break;
      default:
        break;
      }
  if (!has_addends)
    dynamic->tables[0].bytes = 0;
}

static void
read_headers (const struct dl_phdr_info *library, struct dynamic *dynamic)
{
  uintptr_t page = (uintptr_t)sysconf (_SC_PAGESIZE);

  for (int i = 0; i < library->dlpi_phnum; i++)
    {
      const ElfW (Phdr) *header = &library->dlpi_phdr[i];
      uintptr_t start = library->dlpi_addr + header->p_vaddr;

      if (header->p_type == PT_DYNAMIC)
        read_dynamic (library, (const void *)start, dynamic);
      else if (header->p_type == PT_GNU_RELRO)
        {
          dynamic->protected = start & ~(page - 1);
          dynamic->protected_end = (start + header->p_memsz) & ~(page - 1);
        }
    }
}

/* Returns our function of this name, or NULL if another preloaded library defines it. */
static void *
own_function (const char *name)
{
  void *function = dlsym (RTLD_DEFAULT, name);
  Dl_info theirs, ours;

  if (function == NULL || dladdr (function, &theirs) == 0 || dladdr (fortran_libraries, &ours) == 0)
    return NULL;
  return theirs.dli_fbase == ours.dli_fbase ? function : NULL;
}

static void
fortran_turn (const struct dynamic *dynamic, void **slot, void *function)
{
  uintptr_t page = (uintptr_t)sysconf (_SC_PAGESIZE), start = (uintptr_t)slot & ~(page - 1);
  bool is_protected = (uintptr_t)slot >= dynamic->protected && (uintptr_t)slot < dynamic->protected_end;

  if (is_protected && mprotect ((void *)start, page, PROT_READ | PROT_WRITE) != 0)
    return;
  __atomic_store_n (slot, function, __ATOMIC_RELEASE);
  if (is_protected)
    mprotect ((void *)start, page, PROT_READ);
}

static void
turn_table (const struct dl_phdr_info *library, const struct dynamic *dynamic, const ElfW (Rela) * first, size_t count)
{
  for (const ElfW (Rela) *relocation = first; relocation < first + count; relocation++)
    {
#if __SIZEOF_POINTER__ == 8
      size_t symbol = ELF64_R_SYM (relocation->r_info);
#else
      size_t symbol = ELF32_R_SYM (relocation->r_info);
#endif
      const char *name = dynamic->names + dynamic->symbols[symbol].st_name;
      void *function = NULL;

      if (symbol != 0 && relocation->r_addend == 0 &&
          (strncmp (name, "PMPI_", 5) == 0 || strncmp (name, "PMPIX_", 6) == 0))
        function = own_function (name + 1);
      if (function != NULL)
        fortran_turn (dynamic, (void **)(library->dlpi_addr + relocation->r_offset), function);
    }
}

static int
turn_library (struct dl_phdr_info *library, size_t size, void *data)
{
  struct dynamic dynamic = {0};

  if (!is_fortran (library->dlpi_name))
    return 0;
  read_headers (library, &dynamic);
  if (dynamic.symbols == NULL || dynamic.names == NULL)
    return 0;
  for (size_t i = 0; i < 2; i++)
    turn_table (library, &dynamic, dynamic.tables[i].first, dynamic.tables[i].bytes / sizeof (ElfW (Rela)));
  return 0;
}

/* All libraries that the program is linked with are mapped and relocated before the first constructor runs. */
__attribute__ ((constructor)) static void
lead_fortran (void)
{
  dl_iterate_phdr (turn_library, NULL);
}
