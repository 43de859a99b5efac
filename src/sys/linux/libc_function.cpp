#include "sys/linux/libc_function.h"

#include <elf.h>
#include <link.h>

#include "sys/symbol_table.h"

// A variable of the dynamic linker. It is weak, so that we are not linked to the dynamic linker,
// and so to its version.
extern r_debug _r_debug __attribute__((weak));

namespace mmt::sys {
namespace {

// What the symbol stands for, where the object chooses among several by the CPU.
void* chosen([[maybe_unused]] void* chooser) {
#if defined(__x86_64__)
  return reinterpret_cast<void* (*)()>(chooser)();
#else
  return nullptr;  // it is called with arguments, which differ
#endif
}

}  // namespace

// Only objects that were loaded before the program are passed on the way to libc: their list does
// not change.
void* libc_function(const char* name) {
  if (&_r_debug == nullptr) return nullptr;
  for (const link_map* map = _r_debug.r_map; map != nullptr; map = map->l_next) {
    if (map->l_ld == nullptr) continue;
    const SymbolTable names(map->l_addr, map->l_ld);
    const char* const object = names.own_name();
    if (!is_same_text(object, "libc.so.6") && !is_same_text(object, "libpthread.so.0")) continue;
    const ElfW(Sym)* const symbol = names.find_default(name);
    if (symbol == nullptr) continue;
    void* const address = names.address_of(*symbol);
    return ELF64_ST_TYPE(symbol->st_info) == STT_GNU_IFUNC ? chosen(address) : address;
  }
  return nullptr;
}

bool is_loaded(const char* own_name) {
  if (&_r_debug == nullptr) return false;
  for (const link_map* map = _r_debug.r_map; map != nullptr; map = map->l_next) {
    if (map->l_ld == nullptr) continue;
    if (is_same_text(SymbolTable(map->l_addr, map->l_ld).own_name(), own_name)) return true;
  }
  return false;
}

}  // namespace mmt::sys
