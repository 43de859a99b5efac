#include "sys/loaded_object.h"

#include <sys/auxv.h>
#include <sys/mman.h>

#include <algorithm>
#include <iterator>

#include <mmt/core/checked.h>
#include <mmt/sys/pages.h>
#include <mmt/sys/syscall.h>

namespace mmt::sys {
namespace {

using Part = ElfW(Phdr);

#if defined(__x86_64__)
constexpr uint32_t kOfAddresses[] = {R_X86_64_64, R_X86_64_GLOB_DAT, R_X86_64_JUMP_SLOT};
#elif defined(__aarch64__)
constexpr uint32_t kOfAddresses[] = {R_AARCH64_ABS64, R_AARCH64_GLOB_DAT, R_AARCH64_JUMP_SLOT};
#endif

}  // namespace

bool LoadedObject::is_address(const Relocation& one) {
  return one.r_addend == 0 &&
         std::ranges::find(kOfAddresses, ELF64_R_TYPE(one.r_info)) != std::end(kOfAddresses);
}

LoadedObject::LoadedObject(uintptr_t base, std::span<const Part> parts)
    : base_(base), parts_(parts) {
  for (const Part& part : parts) {
    if (part.p_type != PT_DYNAMIC) continue;
    const auto* const section = reinterpret_cast<const ElfW(Dyn)*>(base + part.p_vaddr);
    names_ = {base, section};
    read(section);
  }
}

void LoadedObject::read(const ElfW(Dyn) * section) {
  const Relocation* relocations = nullptr;
  const Relocation* calls = nullptr;
  size_t relocation_bytes = 0;
  size_t call_bytes = 0;
  for (; section->d_tag != DT_NULL; ++section) {
    const size_t value = section->d_un.d_val;
    switch (section->d_tag) {
      case DT_RELA:
        relocations = SymbolTable::address_in<const Relocation>(*section, base_);
        break;
      case DT_RELASZ:
        relocation_bytes = value;
        break;
      case DT_JMPREL:
        calls = SymbolTable::address_in<const Relocation>(*section, base_);
        break;
      case DT_PLTRELSZ:
        call_bytes = value;
        break;
      case DT_BIND_NOW:
        is_bound_at_once_ = true;
        break;
      case DT_FLAGS:
        is_bound_at_once_ |= (value & DF_BIND_NOW) != 0;
        break;
      case DT_FLAGS_1:
        is_bound_at_once_ |= (value & DF_1_NOW) != 0;
        break;
      default:
        break;
    }
  }
  if (relocations != nullptr) relocations_ = {relocations, relocation_bytes / sizeof(Relocation)};
  if (calls != nullptr) calls_ = {calls, call_bytes / sizeof(Relocation)};
}

const Part* LoadedObject::part_of(const void* address) const {
  const uintptr_t offset = reinterpret_cast<uintptr_t>(address) - base_;
  for (const Part& part : parts_) {
    if (part.p_type == PT_LOAD && offset - part.p_vaddr < part.p_memsz) return &part;
  }
  return nullptr;
}

LoadedObject::Extent LoadedObject::extent() const {
  Extent all{UINTPTR_MAX, 0};
  for (const Part& part : parts_) {
    if (part.p_type != PT_LOAD) continue;
    const uintptr_t begin = base_ + part.p_vaddr;
    all.begin = std::min(all.begin, begin);
    all.end = std::max(all.end, begin + part.p_memsz);
  }
  return all;
}

int LoadedObject::protection_of(const void* address) const {
  const Part* const part = part_of(address);
  if (part == nullptr) return PROT_NONE;
  const auto place = reinterpret_cast<uintptr_t>(address);
  for (const Part& other : parts_) {
    if (other.p_type != PT_GNU_RELRO) continue;
    // Whole pages, as the dynamic linker has sealed them.
    const uintptr_t begin = base_ + other.p_vaddr;
    const uintptr_t end = core::align_down(begin + other.p_memsz, kPageSize);
    if (place >= core::align_down(begin, kPageSize) && place < end) return PROT_READ;
  }
  return ((part->p_flags & PF_R) != 0 ? PROT_READ : 0) |
         ((part->p_flags & PF_W) != 0 ? PROT_WRITE : 0) |
         ((part->p_flags & PF_X) != 0 ? PROT_EXEC : 0);
}

void visit_loaded_objects(bool (*visit)(const LoadedObject& object, void* data), void* data) {
  struct Visitor {
    bool (*visit)(const LoadedObject& object, void* data);
    void* data;
  } visitor = {visit, data};
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* visitor_data) -> int {
        const auto* const visitor = static_cast<const Visitor*>(visitor_data);
        return visitor->visit({info->dlpi_addr, {info->dlpi_phdr, info->dlpi_phnum}},
                              visitor->data);
      },
      &visitor);
}

LoadedObject object_of(const void* address) {
  LoadedObject found;
  visit_loaded_objects([&](const LoadedObject& object) {
    if (!object.has(address)) return false;
    found = object;
    return true;
  });
  return found;
}

LoadedObject program_object() {
  const auto* const parts = reinterpret_cast<const Part*>(::getauxval(AT_PHDR));
  const size_t count = ::getauxval(AT_PHNUM);
  if (parts == nullptr) return {};
  for (size_t i = 0; i < count; ++i) {
    if (parts[i].p_type != PT_PHDR) continue;
    return {reinterpret_cast<uintptr_t>(parts) - parts[i].p_vaddr, {parts, count}};
  }
  return {};
}

Unsealed::Unsealed(const LoadedObject& object, const void* begin, const void* end)
    : protection_(object.protection_of(begin)) {
  begin_ = core::align_down(reinterpret_cast<uintptr_t>(begin), kPageSize);
  bytes_ = core::align_up(reinterpret_cast<uintptr_t>(end), kPageSize) - begin_;
  is_open_ = (protection_ & PROT_WRITE) != 0 ||
             raw_syscall(SYS_mprotect, static_cast<long>(begin_), static_cast<long>(bytes_),
                         protection_ | PROT_WRITE) == 0;
}

Unsealed::~Unsealed() {
  if (!is_open_ || (protection_ & PROT_WRITE) != 0) return;
  raw_syscall(SYS_mprotect, static_cast<long>(begin_), static_cast<long>(bytes_), protection_);
}

}  // namespace mmt::sys
