#pragma once
// The names that a loaded object defines, by its dynamic section in memory. Any context: nothing is
// called, allocated or locked.
#include <elf.h>
#include <link.h>

#include <cstddef>
#include <cstdint>

namespace mmt::sys {

constexpr uint32_t gnu_hash_of(const char* text) {
  uint32_t hash = 5381;
  for (; *text != '\0'; ++text) hash = hash * 33 + static_cast<unsigned char>(*text);
  return hash;
}

// Here and not libc's, for it is part of what finds those.
constexpr bool is_same_text(const char* left, const char* right) {
  for (; *left == *right; ++left, ++right)
    if (*left == '\0') return true;
  return false;
}

struct SymbolName {
  constexpr SymbolName(const char* from = "") : text(from), gnu_hash(gnu_hash_of(from)) {}
  constexpr bool operator==(const SymbolName& other) const {
    return gnu_hash == other.gnu_hash && is_same_text(text, other.text);
  }
  const char* text;
  uint32_t gnu_hash;
};

// A view: it is good for as long as the object stays loaded. The default one has no names.
class SymbolTable {
 public:
  using Symbol = ElfW(Sym);

  SymbolTable() = default;
  SymbolTable(uintptr_t base, const ElfW(Dyn) * section) : base_(base) {
    for (; section->d_tag != DT_NULL; ++section) read(*section);
    if (symbols_ != nullptr && names_ != nullptr) return;
    gnu_ = nullptr;
    hash_ = nullptr;
  }

  // The name that others ask for the object by; empty: it has none.
  const char* own_name() const { return names_ == nullptr ? "" : names_ + own_name_; }

  // What it offers by the name; of several versions any, or the one that a program built today
  // gets. nullptr: it does not.
  const Symbol* find(const SymbolName& name) const { return find(name, true); }
  const Symbol* find_default(const SymbolName& name) const { return find(name, false); }

  // Whether it asks others for the name. Those that it does not define stand before those of the
  // GNU table, and among all of the other.
  bool asks_for(const char* name) const {
    const size_t end = gnu_ != nullptr ? gnu_->first : hash_ != nullptr ? hash_[1] : 0;
    for (size_t i = 0; i < end; ++i) {
      if (symbols_[i].st_shndx == SHN_UNDEF && is_same_text(name_of(symbols_[i]), name))
        return true;
    }
    return false;
  }

  // visit(symbol) for each that it offers, where it has the usual kind of table.
  template <class Visit>
  void for_each(Visit&& visit) const {
    if (gnu_ == nullptr) return;
    for (uint32_t bucket = 0; bucket < gnu_->bucket_count; ++bucket) {
      uint32_t index = gnu_->buckets()[bucket];
      if (index < gnu_->first) continue;
      do {
        if (is_offered(index, true)) visit(symbols_[index]);
      } while ((gnu_->chains()[index++ - gnu_->first] & 1) == 0);
    }
  }

  const Symbol& at(size_t index) const { return symbols_[index]; }
  const char* name_of(const Symbol& symbol) const { return names_ + symbol.st_name; }
  void* address_of(const Symbol& symbol) const {
    return reinterpret_cast<void*>(base_ + symbol.st_value);
  }

  // The dynamic linker has made it an address, but where it may not write.
  template <class T>
  static T* address_in(const ElfW(Dyn) & entry, uintptr_t base) {
    const uintptr_t value = entry.d_un.d_ptr;
    return reinterpret_cast<T*>(value < base ? base + value : value);
  }

 private:
  // Four numbers, a filter of bits, buckets, and a chain for each, whose last link is odd.
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
    bool may_have(uint32_t hash) const {
      constexpr uint32_t kBits = 8 * sizeof(ElfW(Addr));
      const ElfW(Addr) word = filter()[hash / kBits % filter_words];
      return ((word >> (hash % kBits)) & (word >> ((hash >> filter_shift) % kBits)) & 1) != 0;
    }
  };

  // It is as the generic ABI defines it.
  static uint32_t hash_of(const char* text) {
    uint32_t hash = 0;
    for (; *text != '\0'; ++text) {
      hash = (hash << 4) + static_cast<unsigned char>(*text);
      const uint32_t high = hash & 0xf0000000;
      hash = (hash ^ (high >> 24)) & ~high;
    }
    return hash;
  }

  void read(const ElfW(Dyn) & entry) {
    switch (entry.d_tag) {
      case DT_STRTAB:
        names_ = address_in<const char>(entry, base_);
        break;
      case DT_SYMTAB:
        symbols_ = address_in<const Symbol>(entry, base_);
        break;
      case DT_GNU_HASH:
        gnu_ = address_in<const GnuTable>(entry, base_);
        break;
      case DT_HASH:
        hash_ = address_in<const uint32_t>(entry, base_);
        break;
      case DT_VERSYM:
        versions_ = address_in<const ElfW(Versym)>(entry, base_);
        break;
      case DT_SONAME:
        own_name_ = entry.d_un.d_val;
        break;
      default:
        break;
    }
  }

  bool is_offered(uint32_t index, bool any_version) const {
    constexpr ElfW(Versym) kHidden = 0x8000;
    const Symbol& symbol = symbols_[index];
    if (symbol.st_shndx == SHN_UNDEF || symbol.st_value == 0) return false;
    if (ELF64_ST_BIND(symbol.st_info) == STB_LOCAL) return false;
    if (ELF64_ST_TYPE(symbol.st_info) == STT_TLS) return false;
    return any_version || versions_ == nullptr || (versions_[index] & kHidden) == 0;
  }
  bool is(uint32_t index, const SymbolName& name, bool any_version) const {
    return is_same_text(name_of(symbols_[index]), name.text) && is_offered(index, any_version);
  }

  const Symbol* find(const SymbolName& name, bool any_version) const {
    return gnu_ != nullptr ? find_by_gnu(name, any_version) : find_by_hash(name, any_version);
  }
  const Symbol* find_by_gnu(const SymbolName& name, bool any_version) const {
    if (gnu_->bucket_count == 0 || !gnu_->may_have(name.gnu_hash)) return nullptr;
    uint32_t index = gnu_->buckets()[name.gnu_hash % gnu_->bucket_count];
    if (index < gnu_->first) return nullptr;
    for (;; ++index) {
      const uint32_t link = gnu_->chains()[index - gnu_->first];
      if ((link | 1) == (name.gnu_hash | 1) && is(index, name, any_version))
        return &symbols_[index];
      if ((link & 1) != 0) return nullptr;
    }
  }
  const Symbol* find_by_hash(const SymbolName& name, bool any_version) const {
    if (hash_ == nullptr || hash_[0] == 0) return nullptr;
    const uint32_t* const buckets = hash_ + 2;
    const uint32_t* const chains = buckets + hash_[0];
    for (uint32_t index = buckets[hash_of(name.text) % hash_[0]]; index != STN_UNDEF;
         index = chains[index]) {
      if (is(index, name, any_version)) return &symbols_[index];
    }
    return nullptr;
  }

  uintptr_t base_ = 0;
  const Symbol* symbols_ = nullptr;
  const char* names_ = nullptr;
  const GnuTable* gnu_ = nullptr;
  const uint32_t* hash_ = nullptr;
  const ElfW(Versym) * versions_ = nullptr;
  size_t own_name_ = 0;  // the first of all names is the empty one
};

}  // namespace mmt::sys
