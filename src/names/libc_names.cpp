#include "names/libc_names.h"

#include <algorithm>
#include <iterator>
#include <span>

#include "sys/loaded_object.h"

namespace mmt::names {
namespace {

using sys::LoadedObject;
using sys::SymbolName;
using Symbol = sys::SymbolTable::Symbol;

constexpr SymbolName kOfAllocators[] = {
    "malloc",          "free",           "calloc",         "realloc",
    "reallocarray",    "memalign",       "aligned_alloc",  "posix_memalign",
    "valloc",          "pvalloc",        "cfree",          "malloc_usable_size",
    "malloc_trim",     "mallopt",        "mallinfo",       "mallinfo2",
    "malloc_info",     "malloc_stats",   "__libc_malloc",  "__libc_free",
    "__libc_cfree",    "__libc_calloc",  "__libc_realloc", "__libc_reallocarray",
    "__libc_memalign", "__libc_valloc",  "__libc_pvalloc", "__posix_memalign",
    "__libc_mallopt",  "__libc_mallinfo"};

bool is_of_allocators(const SymbolName& name) {
  return std::ranges::find(kOfAllocators, name) != std::end(kOfAllocators);
}

// A name that libc defines, and we before it.
struct Shared {
  SymbolName name;
  void* ours = nullptr;
  Symbol* libcs = nullptr;
  bool is_dropped = false;
};

struct Names {
  LoadedObject ours;
  LoadedObject libc;
  // The first allocator that comes before libc's and behind ours; else of no object.
  LoadedObject between;
  Shared all[LibcNames::kMost] = {};
  size_t count = 0;

  std::span<Shared> shared() { return {all, count}; }
};

void find_objects(const void* of_ours, Names* names) {
  sys::visit_loaded_objects([&](const LoadedObject& object) {
    if (object.has(of_ours)) names->ours = object;
    if (!object.is_libc()) return false;
    names->libc = object;
    return true;
  });
}

// Code that patches libc's page calls in order to watch them means those of the allocator. Where
// the allocator is not ours but one behind us, the calls stay libc's own. A library with a heap of
// its own notes them all.
constexpr SymbolName kOfPages[] = {"mmap", "mmap64", "munmap", "mremap"};
constexpr SymbolName kNotedByHeaps = "madvise";

void leave_page_calls(Names* names) {
  if (names->ours.names().find(kNotedByHeaps) != nullptr) return;
  for (Shared& one : names->shared())
    one.is_dropped |= std::ranges::find(kOfPages, one.name) != std::end(kOfPages);
}

// A function, and not one that chooses among several, nor data.
bool is_plain(const Symbol& symbol) { return ELF64_ST_TYPE(symbol.st_info) == STT_FUNC; }

void find_names(Names* names) {
  names->ours.names().for_each([names](const Symbol& symbol) {
    const SymbolName name = names->ours.names().name_of(symbol);
    const Symbol* const libcs = names->libc.names().find(name);
    if (libcs == nullptr || !is_plain(*libcs) || !is_plain(symbol)) return;
    if (names->count == LibcNames::kMost) return;
    names->all[names->count++] = {name, names->ours.names().address_of(symbol),
                                  const_cast<Symbol*>(libcs)};
  });
}

// An object between us and libc that has one of the names may pass calls on to what it finds as
// libc's. That must not be ours, or the call would go round. With an allocator this is agreed in
// let_look_up().
void look_between(Names* names) {
  bool is_behind = false;
  sys::visit_loaded_objects([&](const LoadedObject& object) {
    if (object.is(names->libc)) return true;
    if (is_behind) {
      for (Shared& one : names->shared()) {
        if (!is_of_allocators(one.name)) one.is_dropped |= object.names().find(one.name) != nullptr;
      }
      if (!names->between.is_loaded() && object.names().find("malloc") != nullptr)
        names->between = object;
    }
    is_behind |= object.is(names->ours);
    return false;
  });
}

template <class Function>
Function* function_of(const LoadedObject& object, const SymbolName& name) {
  const Symbol* const symbol = object.names().find(name);
  return symbol == nullptr ? nullptr
                           : reinterpret_cast<Function*>(object.names().address_of(*symbol));
}

// An allocator that passes calls on looks up to whom at the first of each, which is here.
void let_look_up(const LoadedObject& allocator) {
  auto* const release = function_of<void(void*)>(allocator, "free");
  if (release == nullptr) return;
  void* block = nullptr;
  if (auto* one = function_of<void*(size_t)>(allocator, "malloc")) block = one(1);
  if (auto* one = function_of<void*(void*, size_t)>(allocator, "realloc")) block = one(block, 2);
  if (auto* one = function_of<size_t(void*)>(allocator, "malloc_usable_size")) one(block);
  release(block);
  for (const SymbolName& name :
       {SymbolName("calloc"), SymbolName("memalign"), SymbolName("aligned_alloc")}) {
    if (auto* one = function_of<void*(size_t, size_t)>(allocator, name)) release(one(16, 16));
  }
  if (auto* one = function_of<int(void**, size_t, size_t)>(allocator, "posix_memalign")) {
    if (one(&block, 16, 16) == 0) release(block);
  }
}

}  // namespace

void LibcNames::take() {
  Names names;
  find_objects(this, &names);
  if (!names.ours.is_loaded() || !names.libc.is_loaded()) return;
  find_names(&names);
  look_between(&names);
  leave_page_calls(&names);
  if (names.between.is_loaded()) let_look_up(names.between);
  Symbol* begin = nullptr;
  Symbol* end = nullptr;
  for (const Shared& one : names.shared()) {
    if (begin == nullptr || one.libcs < begin) begin = one.libcs;
    if (end == nullptr || one.libcs >= end) end = one.libcs + 1;
  }
  const sys::Unsealed table(names.libc, begin, end);
  if (!table.is_open()) return;
  for (const Shared& one : names.shared()) {
    if (one.is_dropped) continue;
    taken_[count_++] = {one.ours, names.libc.names().address_of(*one.libcs)};
    // The dynamic linker adds the base again, wherever ours lies from there.
    one.libcs->st_value = reinterpret_cast<uintptr_t>(one.ours) - names.libc.base();
  }
}

}  // namespace mmt::names
