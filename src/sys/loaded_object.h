#pragma once
// What the dynamic linker has loaded, by what each object says of itself in memory: the names that it
// defines, and its places that lead to names of others. Nothing is allocated, no file is opened.
#include <elf.h>
#include <link.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace mmt::sys {

constexpr uint32_t gnu_hash_of(const char* text) {
  uint32_t hash = 5381;
  for (; *text != '\0'; ++text) hash = hash * 33 + static_cast<unsigned char>(*text);
  return hash;
}

struct SymbolName {
  constexpr SymbolName(const char* from = "") : text(from), gnu_hash(gnu_hash_of(from)) {}
  const char* text;
  uint32_t gnu_hash;
};

// A view: it is good for as long as the object stays loaded. The default one is of no object, which
// has nothing.
class LoadedObject {
 public:
  using Symbol = ElfW(Sym);
  using Relocation = ElfW(Rela);

  LoadedObject() = default;
  LoadedObject(uintptr_t base, std::span<const ElfW(Phdr)> parts);

  bool is_loaded() const { return !parts_.empty(); }
  bool is(const LoadedObject& other) const { return parts_.data() == other.parts_.data(); }
  // Whether the address lies in its code or data.
  bool has(const void* address) const { return part_of(address) != nullptr; }
  // From its first byte in memory to behind its last.
  struct Extent {
    uintptr_t begin;
    uintptr_t end;
  };
  Extent extent() const;
  // The protection of the address now that it is loaded, as mprotect takes it.
  int protection_of(const void* address) const;
  // The name that others ask for it by; empty: it has none.
  const char* own_name() const { return names_ == nullptr ? "" : names_ + own_name_; }
  // All its places are filled in before it runs.
  bool is_bound_at_once() const { return is_bound_at_once_; }

  // The function or variable that it offers to others by the name; nullptr: it does not.
  const Symbol* find(const SymbolName& name) const;
  // visit(symbol) for each that it offers.
  template <class Visit>
  void for_each_offered(Visit&& visit) const {
    if (gnu_ == nullptr) return;
    for (uint32_t bucket = 0; bucket < gnu_->bucket_count; ++bucket) {
      uint32_t index = gnu_->buckets()[bucket];
      if (index < gnu_->first) continue;
      do {
        if (is_offered(symbols_[index])) visit(symbols_[index]);
      } while ((gnu_->chains()[index++ - gnu_->first] & 1) == 0);
    }
  }
  const char* name_of(const Symbol& symbol) const { return names_ + symbol.st_name; }
  void* address_of(const Symbol& symbol) const {
    return reinterpret_cast<void*>(base_ + symbol.st_value);
  }

  // Places that the dynamic linker fills in; those of calls may wait for the first one.
  std::span<const Relocation> relocations() const { return relocations_; }
  std::span<const Relocation> calls() const { return calls_; }
  void** place_of(const Relocation& one) const {
    return reinterpret_cast<void**>(base_ + one.r_offset);
  }
  const char* name_of(const Relocation& one) const {
    return name_of(symbols_[ELF64_R_SYM(one.r_info)]);
  }
  // The place gets the address of the symbol, and nothing more.
  static bool is_address(const Relocation& one);
  uintptr_t base() const { return base_; }

 private:
  // [the GNU hash section]: a filter of bits, then a chain for each bucket.
  struct GnuTable {
    uint32_t bucket_count;
    uint32_t first;  // symbols below are not in the table
    uint32_t filter_words;
    uint32_t filter_shift;

    const ElfW(Addr) * filter() const { return reinterpret_cast<const ElfW(Addr)*>(this + 1); }
    const uint32_t* buckets() const {
      return reinterpret_cast<const uint32_t*>(filter() + filter_words);
    }
    const uint32_t* chains() const { return buckets() + bucket_count; }
  };

  static bool is_offered(const Symbol& symbol) {
    return symbol.st_shndx != SHN_UNDEF && symbol.st_value != 0 &&
           ELF64_ST_BIND(symbol.st_info) != STB_LOCAL && ELF64_ST_TYPE(symbol.st_info) != STT_TLS;
  }
  bool offers(const Symbol& symbol, const SymbolName& name) const;
  const Symbol* find_by_gnu_hash(const SymbolName& name) const;
  const Symbol* find_by_hash(const SymbolName& name) const;
  const ElfW(Phdr) * part_of(const void* address) const;
  void read(const ElfW(Dyn) * entry, bool is_relocated);

  uintptr_t base_ = 0;
  std::span<const ElfW(Phdr)> parts_;
  const Symbol* symbols_ = nullptr;
  const char* names_ = nullptr;
  const GnuTable* gnu_ = nullptr;
  const uint32_t* hash_ = nullptr;
  size_t own_name_ = 0;
  bool is_bound_at_once_ = false;
  std::span<const Relocation> relocations_;
  std::span<const Relocation> calls_;
};

// visit(object) for each, until it returns true, in the order in which names are looked up for what
// was loaded with the program: that itself first. Takes the dynamic linker's lock.
void visit_loaded_objects(bool (*visit)(const LoadedObject& object, void* data), void* data);
template <class Visit>
void visit_loaded_objects(Visit&& visit) {
  visit_loaded_objects(
      [](const LoadedObject& object, void* data) -> bool {
        return (*static_cast<std::remove_reference_t<Visit>*>(data))(object);
      },
      &visit);
}

// The one that has the address; of no object, if none has.
LoadedObject object_of(const void* address);
// The program itself, without a lock.
LoadedObject program_object();

// While it lives, bytes of one part of an object may be written that were only to be read.
class Unsealed {
 public:
  Unsealed(const LoadedObject& object, const void* begin, const void* end);
  ~Unsealed();
  Unsealed(const Unsealed&) = delete;
  Unsealed& operator=(const Unsealed&) = delete;
  // False: the system refuses.
  bool is_open() const { return is_open_; }

 private:
  uintptr_t begin_;
  size_t bytes_;
  int protection_;
  bool is_open_;
};

}  // namespace mmt::sys
