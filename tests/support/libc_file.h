// Functions of libc by what its file says of them, which no other library's names change.
#pragma once

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "support/plugin.h"

static void* function_of_libc_file(const char* name) {
  const struct link_map* libc = (const struct link_map*)dlopen("libc.so.6", RTLD_NOW | RTLD_NOLOAD);
  EXPECT(libc != NULL, "%s", dlerror());
  const int descriptor = open(libc->l_name, O_RDONLY | O_CLOEXEC);
  struct stat status;
  EXPECT(descriptor >= 0 && fstat(descriptor, &status) == 0, "%s", libc->l_name);
  const char* file = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  EXPECT(file != MAP_FAILED);
  close(descriptor);
  const ElfW(Ehdr)* header = (const ElfW(Ehdr)*)file;
  const ElfW(Shdr)* sections = (const ElfW(Shdr)*)(file + header->e_shoff);
  void* found = NULL;
  for (int i = 0; i < header->e_shnum; ++i) {
    if (sections[i].sh_type != SHT_DYNSYM) continue;
    const ElfW(Sym)* symbols = (const ElfW(Sym)*)(file + sections[i].sh_offset);
    const char* names = file + sections[sections[i].sh_link].sh_offset;
    for (size_t k = 0; k < sections[i].sh_size / sizeof *symbols; ++k) {
      if (symbols[k].st_shndx == SHN_UNDEF || strcmp(names + symbols[k].st_name, name) != 0)
        continue;
      found = (void*)(libc->l_addr + symbols[k].st_value);
    }
  }
  EXPECT(found != NULL, "%s", name);
  munmap((void*)file, (size_t)status.st_size);
  return found;
}
