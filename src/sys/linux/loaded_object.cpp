#include "sys/loaded_object.h"

#include <dlfcn.h>
#include <sys/auxv.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include <mmt/core/checked.h>
#include <mmt/sys/pages.h>
#include <mmt/sys/syscall.h>

namespace mmt::sys {
namespace {

using Part = ElfW(Phdr);

std::span<const ElfW(Rela)> relocations_at(const void* at, size_t bytes) {
  if (at == nullptr) return {};
  return {static_cast<const ElfW(Rela)*>(at), bytes / sizeof(ElfW(Rela))};
}

// As the generic ABI defines it.
uint32_t hash_of(const char* text) {
  uint32_t hash = 0;
  for (; *text != '\0'; ++text) {
    hash = (hash << 4) + static_cast<unsigned char>(*text);
    const uint32_t high = hash & 0xf0000000;
    hash = (hash ^ (high >> 24)) & ~high;
  }
  return hash;
}

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
    // The dynamic linker makes addresses of what it says where it may write.
    read(reinterpret_cast<const ElfW(Dyn)*>(base + part.p_vaddr), (part.p_flags & PF_W) != 0);
  }
}

void LoadedObject::read(const ElfW(Dyn) * entry, bool is_relocated) {
  const void* relocations = nullptr;
  const void* calls = nullptr;
  size_t relocation_bytes = 0;
  size_t call_bytes = 0;
  for (; entry->d_tag != DT_NULL; ++entry) {
    const size_t value = entry->d_un.d_val;
    const auto* const at = reinterpret_cast<const void*>(is_relocated ? value : base_ + value);
    switch (entry->d_tag) {
      case DT_SYMTAB:
        symbols_ = static_cast<const Symbol*>(at);
        break;
      case DT_STRTAB:
        names_ = static_cast<const char*>(at);
        break;
      case DT_GNU_HASH:
        gnu_ = static_cast<const GnuTable*>(at);
        break;
      case DT_HASH:
        hash_ = static_cast<const uint32_t*>(at);
        break;
      case DT_SONAME:
        own_name_ = value;
        break;
      case DT_RELA:
        relocations = at;
        break;
      case DT_RELASZ:
        relocation_bytes = value;
        break;
      case DT_JMPREL:
        calls = at;
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
  if (symbols_ == nullptr || names_ == nullptr) {
    gnu_ = nullptr;
    hash_ = nullptr;
    return;
  }
  relocations_ = relocations_at(relocations, relocation_bytes);
  calls_ = relocations_at(calls, call_bytes);
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

bool LoadedObject::offers(const Symbol& symbol, const SymbolName& name) const {
  return is_offered(symbol) && std::strcmp(name_of(symbol), name.text) == 0;
}

const LoadedObject::Symbol* LoadedObject::find(const SymbolName& name) const {
  return gnu_ != nullptr ? find_by_gnu_hash(name) : find_by_hash(name);
}

const LoadedObject::Symbol* LoadedObject::find_by_gnu_hash(const SymbolName& name) const {
  constexpr uint32_t kBits = 8 * sizeof(ElfW(Addr));
  const ElfW(Addr) word = gnu_->filter()[name.gnu_hash / kBits % gnu_->filter_words];
  const uint32_t second = name.gnu_hash >> gnu_->filter_shift;
  if ((word >> (name.gnu_hash % kBits) & word >> (second % kBits) & 1) == 0) return nullptr;
  uint32_t index = gnu_->buckets()[name.gnu_hash % gnu_->bucket_count];
  if (index < gnu_->first) return nullptr;
  for (;; ++index) {
    const uint32_t hash = gnu_->chains()[index - gnu_->first];
    if ((hash | 1) == (name.gnu_hash | 1) && offers(symbols_[index], name)) return &symbols_[index];
    if ((hash & 1) != 0) return nullptr;
  }
}

const LoadedObject::Symbol* LoadedObject::find_by_hash(const SymbolName& name) const {
  if (hash_ == nullptr) return nullptr;
  const uint32_t buckets = hash_[0];
  const uint32_t* const chains = hash_ + 2 + buckets;
  for (uint32_t index = hash_[2 + hash_of(name.text) % buckets]; index != STN_UNDEF;
       index = chains[index]) {
    if (offers(symbols_[index], name)) return &symbols_[index];
  }
  return nullptr;
}

// Not the program's own of that name, which may not be ready yet.
void visit_loaded_objects(bool (*visit)(const LoadedObject& object, void* data), void* data) {
  struct Visitor {
    bool (*visit)(const LoadedObject& object, void* data);
    void* data;
  } visitor = {visit, data};
  using Iterate = decltype(::dl_iterate_phdr);
  auto* const iterate = reinterpret_cast<Iterate*>(::dlsym(RTLD_NEXT, "dl_iterate_phdr"));
  if (iterate == nullptr) return;
  iterate(
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
