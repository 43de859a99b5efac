#include "agnostic/beside/bindings.h"

#include <elf.h>
#include <link.h>
#include <sys/auxv.h>

#include <cstdint>
#include <cstring>

namespace mmt::agnostic {
namespace {

// What of the program's own dynamic section tells where the slots are.
struct Program {
  uintptr_t base = 0;
  const ElfW(Dyn) * dynamic = nullptr;
  uintptr_t sealed_begin = 0;  // read-only once it is loaded
  uintptr_t sealed_end = 0;
};

Program find_program() {
  Program program;
  const auto* const headers = reinterpret_cast<const ElfW(Phdr)*>(::getauxval(AT_PHDR));
  const size_t count = ::getauxval(AT_PHNUM);
  if (headers == nullptr) return program;
  bool has_base = false;
  for (size_t i = 0; i < count; ++i) {
    if (headers[i].p_type == PT_PHDR) {
      program.base = reinterpret_cast<uintptr_t>(headers) - headers[i].p_vaddr;
      has_base = true;
    }
  }
  if (!has_base) return program;
  for (size_t i = 0; i < count; ++i) {
    const uintptr_t begin = program.base + headers[i].p_vaddr;
    // The dynamic linker makes addresses of what it says only where it may write.
    if (headers[i].p_type == PT_DYNAMIC && (headers[i].p_flags & PF_W) != 0) {
      program.dynamic = reinterpret_cast<const ElfW(Dyn)*>(begin);
    } else if (headers[i].p_type == PT_GNU_RELRO) {
      program.sealed_begin = begin;
      program.sealed_end = begin + headers[i].p_memsz;
    }
  }
  return program;
}

}  // namespace

void Binding::find(const char* name, void* ours, void* direct) {
  const Program program = find_program();
  if (program.dynamic == nullptr) return;
  uintptr_t jumps = 0;
  size_t bytes = 0;
  const ElfW(Sym)* symbols = nullptr;
  const char* names = nullptr;
  for (const ElfW(Dyn)* entry = program.dynamic; entry->d_tag != DT_NULL; ++entry) {
    // The dynamic linker has made addresses of these.
    if (entry->d_tag == DT_JMPREL) jumps = entry->d_un.d_ptr;
    if (entry->d_tag == DT_PLTRELSZ) bytes = entry->d_un.d_val;
    if (entry->d_tag == DT_SYMTAB) symbols = reinterpret_cast<const ElfW(Sym)*>(entry->d_un.d_ptr);
    if (entry->d_tag == DT_STRTAB) names = reinterpret_cast<const char*>(entry->d_un.d_ptr);
    // Such slots are sealed, or will be.
    if (entry->d_tag == DT_FLAGS && (entry->d_un.d_val & DF_BIND_NOW) != 0) return;
    if (entry->d_tag == DT_FLAGS_1 && (entry->d_un.d_val & DF_1_NOW) != 0) return;
  }
  if (jumps == 0 || symbols == nullptr || names == nullptr) return;
  const auto* const relocations = reinterpret_cast<const ElfW(Rela)*>(jumps);
  for (size_t i = 0; i < bytes / sizeof(ElfW(Rela)); ++i) {
    const ElfW(Rela)& relocation = relocations[i];
    if (std::strcmp(names + symbols[ELF64_R_SYM(relocation.r_info)].st_name, name) != 0) continue;
    const uintptr_t at = program.base + relocation.r_offset;
    if (at >= program.sealed_begin && at < program.sealed_end) return;
    ours_ = ours;
    direct_ = direct;
    slot_.store(reinterpret_cast<std::atomic<void*>*>(at), std::memory_order_release);
    return;
  }
}

// Over nothing but the name and what was put over it; again, should the wish have changed
// meanwhile.
void Binding::update() {
  std::atomic<void*>* const slot = slot_.load(std::memory_order_acquire);
  if (slot == nullptr) return;
  for (;;) {
    void* now = slot->load(std::memory_order_seq_cst);
    void* const target = is_direct_.load(std::memory_order_seq_cst) ? direct_ : ours_;
    if (now == target || (now != ours_ && now != direct_)) return;
    slot->compare_exchange_strong(now, target, std::memory_order_seq_cst);
  }
}

}  // namespace mmt::agnostic
