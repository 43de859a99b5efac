#pragma once
// What the dynamic linker has loaded: where each object lies, the names that it defines, and its
// places that lead to names of others. Nothing is allocated, no file is opened.
#include <elf.h>
#include <link.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "sys/symbol_table.h"

namespace mmt::sys {

// A view: it is good for as long as the object stays loaded. The default one is of no object, which
// has nothing.
class LoadedObject {
 public:
  using Relocation = ElfW(Rela);

  LoadedObject() = default;
  LoadedObject(uintptr_t base, std::span<const ElfW(Phdr)> parts);

  bool is_loaded() const { return !parts_.empty(); }
  bool is(const LoadedObject& other) const { return parts_.data() == other.parts_.data(); }
  bool is_libc() const { return is_same_text(names_.own_name(), "libc.so.6"); }
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
  // What is added to its symbols' values.
  uintptr_t base() const { return base_; }

  const SymbolTable& names() const { return names_; }

  // Places that the dynamic linker fills in; those of calls may wait for the first one, unless all
  // are filled in before it runs.
  std::span<const Relocation> relocations() const { return relocations_; }
  std::span<const Relocation> calls() const { return calls_; }
  bool is_bound_at_once() const { return is_bound_at_once_; }
  void** place_of(const Relocation& one) const {
    return reinterpret_cast<void**>(base_ + one.r_offset);
  }
  const char* name_of(const Relocation& one) const {
    return names_.name_of(names_.at(ELF64_R_SYM(one.r_info)));
  }
  // The place gets the address of the name, and nothing more.
  static bool is_address(const Relocation& one);

 private:
  const ElfW(Phdr) * part_of(const void* address) const;
  void read(const ElfW(Dyn) * section);

  uintptr_t base_ = 0;
  std::span<const ElfW(Phdr)> parts_;
  SymbolTable names_;
  std::span<const Relocation> relocations_;
  std::span<const Relocation> calls_;
  bool is_bound_at_once_ = false;
};

// Calls visit(object) for each, until it returns true. The order is that in which names are looked
// up for what was loaded with the program. The program itself comes first. Takes the dynamic
// linker's lock.
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
