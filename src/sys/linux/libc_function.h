#pragma once
// Functions of libc itself, whoever has defined the same name before it: read from libc's own
// symbol table. Any thread, any context, also before constructors: nothing is called, allocated or
// locked.
#include <atomic>

#include <mmt/core/name.h>

namespace mmt::sys {

// The default version of `name`. The result is nullptr where libc has none, or one that is chosen
// by the CPU in a way that only the dynamic linker knows.
void* libc_function(const char* name);

// Whether an object that calls itself so was loaded with the program.
bool is_loaded(const char* own_name);

// libc's function of the signature `Type`, found at its first call; Missing{} is called where libc
// has none.
template <core::Name kName, class Type, class Missing>
class LibcFunction;

template <core::Name kName, class Result, class... Arguments, class Missing>
class LibcFunction<kName, Result(Arguments...), Missing> {
 public:
  static Result call(Arguments... arguments) {
    // Relaxed: whichever function is read does the same.
    return function_.load(std::memory_order_relaxed)(arguments...);
  }

 private:
  using Function = Result(Arguments...);

  static Result missing(Arguments... arguments) {
    return static_cast<Result>(Missing{}(arguments...));
  }
  static Result find(Arguments... arguments) {
    auto* function = reinterpret_cast<Function*>(libc_function(kName.text));
    if (function == nullptr) function = missing;
    function_.store(function, std::memory_order_relaxed);
    return function(arguments...);
  }

  static inline constinit std::atomic<Function*> function_{find};
};

}  // namespace mmt::sys
