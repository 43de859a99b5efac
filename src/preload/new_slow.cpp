#include "preload/new_slow.h"

#include <dlfcn.h>

#include <bit>

#include <mmt/core/compiler.h>

#include "preload/translate.h"

namespace mmt::preload {
namespace {

using NewHandler = void (*)();

// A function as the C++ runtime defines it, also when only a plugin has loaded that. nullptr: it is
// not there.
template <class Function>
Function* library_function(const char* name) {
  constexpr const char* kLibraries[] = {"libstdc++.so.6", "libc++.so.1"};
  for (const char* library : kLibraries) {
    void* handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
    if (handle == nullptr) continue;
    if (void* symbol = dlsym(handle, name)) return reinterpret_cast<Function*>(symbol);
  }
  return nullptr;
}

// The same, also from a program that is linked to the runtime statically.
template <class Function>
Function* runtime_function(const char* name) {
  if (void* symbol = dlsym(RTLD_DEFAULT, name)) return reinterpret_cast<Function*>(symbol);
  return library_function<Function>(name);
}

NewHandler current_handler() {
  auto* get = runtime_function<NewHandler()>("_ZSt15get_new_handlerv");
  return get == nullptr ? nullptr : get();
}

[[noreturn]] MMT_COLD void throw_bad_alloc() {
  if (auto* raise = runtime_function<void()>("_ZSt17__throw_bad_allocv")) raise();
  __builtin_trap();  // operator new may not return null, and there is nobody to tell
}

// Runs new-handlers, which may throw, until attempt() succeeds.
template <class Attempt>
void* retry(Attempt&& attempt) {
  while (NewHandler handler = current_handler()) {
    handler();
    if (void* block = attempt()) return block;
  }
  throw_bad_alloc();
}

struct Nothrow {};

}  // namespace

void* new_slow(size_t bytes) {
  void* block = allocate_slow(bytes);
  if (MMT_LIKELY(block != nullptr)) return block;
  return retry([=] { return allocate_slow(bytes); });
}

// As the C++ runtime: an alignment that is none is an error that no handler can mend.
void* new_aligned(size_t bytes, size_t alignment) {
  if (MMT_UNLIKELY(!std::has_single_bit(alignment))) throw_bad_alloc();
  void* block = allocate_aligned(alignment, bytes);
  if (MMT_LIKELY(block != nullptr)) return block;
  return retry([=] { return allocate_aligned(alignment, bytes); });
}

// The C++ runtime's own nothrow forms call operator new and catch what comes out of it; that
// operator new is ours, which runs the handlers.
void* new_slow_nothrow(size_t bytes) {
  void* block = allocate_slow(bytes);
  if (MMT_LIKELY(block != nullptr)) return block;
  auto* form = library_function<void*(size_t, const Nothrow&)>("_ZnwmRKSt9nothrow_t");
  return form == nullptr ? nullptr : form(bytes, Nothrow{});
}

void* new_aligned_nothrow(size_t bytes, size_t alignment) {
  if (MMT_UNLIKELY(!std::has_single_bit(alignment))) return nullptr;
  void* block = allocate_aligned(alignment, bytes);
  if (MMT_LIKELY(block != nullptr)) return block;
  auto* form =
      library_function<void*(size_t, size_t, const Nothrow&)>("_ZnwmSt11align_val_tRKSt9nothrow_t");
  return form == nullptr ? nullptr : form(bytes, alignment, Nothrow{});
}

}  // namespace mmt::preload
