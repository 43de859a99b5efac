#include "sys/linux/libc_function.h"

#include <elf.h>
#include <link.h>

#include <cstddef>
#include <cstdint>

#include <mmt/core/compiler.h>

// Of the dynamic linker. Weak, so that we are not linked to that, and so to its version.
extern r_debug _r_debug __attribute__((weak));

namespace mmt::sys {
namespace {

// Here and not libc's, for they are what may be asked for.
bool same(const char* left, const char* right) {
  for (; *left == *right; ++left, ++right)
    if (*left == '\0') return true;
  return false;
}

uint32_t gnu_hash(const char* name) {
  uint32_t hash = 5381;
  for (; *name != '\0'; ++name) hash = hash * 33 + static_cast<unsigned char>(*name);
  return hash;
}

// One loaded object, as the dynamic linker sees it.
class Object {
 public:
  explicit Object(const link_map& map) : base_(map.l_addr) {
    for (const ElfW(Dyn)* entry = map.l_ld; entry->d_tag != DT_NULL; ++entry) read(*entry);
  }

  bool is_named(const char* name) const {
    return names_ != nullptr && has_soname_ && same(names_ + soname_, name);
  }

  // What the object defines under this name; nullptr: nothing.
  const ElfW(Sym) * find(const char* name) const {
    if (hashes_ == nullptr || symbols_ == nullptr || names_ == nullptr) return nullptr;
    // Four numbers, a Bloom filter in words, buckets, and chains whose last link is odd.
    const uint32_t bucket_count = hashes_[0];
    const uint32_t first = hashes_[1];
    const uint32_t* const buckets = hashes_ + 4 + hashes_[2] * (sizeof(ElfW(Addr)) / 4);
    const uint32_t* const chains = buckets + bucket_count;
    const uint32_t hash = gnu_hash(name);
    uint32_t index = bucket_count == 0 ? 0 : buckets[hash % bucket_count];
    if (index < first) return nullptr;
    for (;; ++index) {
      const uint32_t link = chains[index - first];
      if ((link | 1) == (hash | 1) && is_default(index) &&
          same(names_ + symbols_[index].st_name, name))
        return &symbols_[index];
      if ((link & 1) != 0) return nullptr;
    }
  }

  void* address(const ElfW(Sym) & symbol) const {
    return reinterpret_cast<void*>(base_ + symbol.st_value);
  }

 private:
  void read(const ElfW(Dyn) & entry) {
    switch (entry.d_tag) {
      case DT_STRTAB:
        names_ = at<const char>(entry);
        break;
      case DT_SYMTAB:
        symbols_ = at<const ElfW(Sym)>(entry);
        break;
      case DT_GNU_HASH:
        hashes_ = at<const uint32_t>(entry);
        break;
      case DT_VERSYM:
        versions_ = at<const ElfW(Versym)>(entry);
        break;
      case DT_SONAME:
        soname_ = entry.d_un.d_val;
        has_soname_ = true;
        break;
    }
  }
  // The dynamic linker has made it an address, but on some architectures.
  template <class T>
  T* at(const ElfW(Dyn) & entry) const {
    const ElfW(Addr) value = entry.d_un.d_ptr;
    return reinterpret_cast<T*>(value < base_ ? base_ + value : value);
  }
  // The version that a program built today gets, and defined here.
  bool is_default(uint32_t index) const {
    constexpr ElfW(Versym) kHidden = 0x8000;
    return symbols_[index].st_shndx != SHN_UNDEF &&
           (versions_ == nullptr || (versions_[index] & kHidden) == 0);
  }

  ElfW(Addr) base_;
  const char* names_ = nullptr;
  const ElfW(Sym) * symbols_ = nullptr;
  const uint32_t* hashes_ = nullptr;
  const ElfW(Versym) * versions_ = nullptr;
  size_t soname_ = 0;
  bool has_soname_ = false;
};

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
    const Object object(*map);
    if (!object.is_named("libc.so.6") && !object.is_named("libpthread.so.0")) continue;
    const ElfW(Sym)* symbol = object.find(name);
    if (symbol == nullptr) continue;
    void* const address = object.address(*symbol);
    return ELF64_ST_TYPE(symbol->st_info) == STT_GNU_IFUNC ? chosen(address) : address;
  }
  return nullptr;
}

}  // namespace mmt::sys
