#pragma once
// A function of the same name in the library behind this one.
#include <dlfcn.h>

#include <atomic>

#include <mmt/core/compiler.h>

#include "names/early.h"

namespace mmt::names::front {

// True while this thread looks a name up: dlsym may allocate, and is to be served without it.
constinit inline thread_local bool looking_up = false;

template <class Function>
class Next {
 public:
  constexpr explicit Next(const char* name) : name_(name) {}

  // The function is looked up once, or by several threads at once, which find the same: hence
  // relaxed. The result is nullptr when there is none, when this thread is just looking one up, or
  // it is too early for that.
  Function* get() {
    Function* function = function_.load(std::memory_order_relaxed);
    if (function != nullptr || names::is_early() || looking_up) return function;
    return look_up();
  }

  const char* name() const { return name_; }

 private:
  // Code that no compiler made calls with any stack; the linker wants it aligned.
  [[gnu::force_align_arg_pointer]] MMT_COLD Function* look_up() {
    looking_up = true;
    auto* const function = reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name_));
    looking_up = false;
    function_.store(function, std::memory_order_relaxed);
    return function;
  }

  const char* name_;
  std::atomic<Function*> function_{nullptr};
};

}  // namespace mmt::names::front
