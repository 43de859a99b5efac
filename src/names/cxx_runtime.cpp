#include "names/cxx_runtime.h"

#include <dlfcn.h>
namespace mmt::names {
namespace {

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

struct Nothrow {};

}  // namespace

NewHandler current_new_handler() {
  auto* get = runtime_function<NewHandler()>("_ZSt15get_new_handlerv");
  return get == nullptr ? nullptr : get();
}

void throw_bad_alloc() {
  if (auto* raise = runtime_function<void()>("_ZSt17__throw_bad_allocv")) raise();
  __builtin_trap();  // operator new may not return null, and there is nobody to tell
}

void* runtime_new(size_t bytes) {
  auto* form = library_function<void*(size_t, const Nothrow&)>("_ZnwmRKSt9nothrow_t");
  return form == nullptr ? nullptr : form(bytes, Nothrow{});
}

void* runtime_new_aligned(size_t bytes, size_t alignment) {
  auto* form =
      library_function<void*(size_t, size_t, const Nothrow&)>("_ZnwmSt11align_val_tRKSt9nothrow_t");
  return form == nullptr ? nullptr : form(bytes, alignment, Nothrow{});
}

}  // namespace mmt::names
