#pragma once
// This is a part of a source, which does not compile alone.
// The C++ names, spelt as the linker sees them, since such a library has no C++ runtime.
//
// An allocator that brings operators of its own is met here. Those of libstdc++ call malloc and
// free, and are met there; they throw when memory ends, so that is left alone here.
#include <dlfcn.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>

#include <mmt/core/compiler.h>

#include "names/front/next.h"
#include "names/front/request.h"

namespace {

using mmt::names::front::Next;
using mmt::names::front::Request;

const void* library_of(const void* function) {
  Dl_info info;
  return ::dladdr(function, &info) != 0 ? info.dli_fbase : nullptr;
}

// A program without C++ may open a library whose C++ runtime nobody else sees.
void* find_in_runtime(const char* name) {
  void* const runtime = ::dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_NOLOAD);
  return runtime != nullptr ? ::dlsym(runtime, name) : nullptr;
}

template <class Function>
class Operator {
 public:
  constexpr Operator(const char* name, Function* fallback) : next_(name), fallback_(fallback) {}

  template <class... Parameters>
  MMT_ALWAYS_INLINE void* allocate(const Request& request, Parameters... arguments) {
    Function* const function = get();
    if (MMT_UNLIKELY(function == nullptr)) return refuse(request);
    const auto call = [&] { return function(arguments...); };
    return is_allocators() ? Around::allocate(request, call) : Around::pass(request.caller, call);
  }

  template <class... Parameters>
  MMT_ALWAYS_INLINE void release(const void* caller, void* block, Parameters... arguments) {
    if (own_blocks().owns(block)) return own_blocks().free(block);
    Function* const function = get();
    if (MMT_UNLIKELY(function == nullptr)) return;
    const auto call = [&] { function(block, arguments...); };
    return is_allocators() ? Around::release(block, call) : Around::pass(caller, call);
  }

 private:
  MMT_ALWAYS_INLINE Function* get() {
    Function* const function = function_.load(std::memory_order_acquire);
    return MMT_LIKELY(function != nullptr) ? function : find();
  }
  bool is_allocators() const { return is_allocators_.load(std::memory_order_relaxed); }

  // Release, for get()'s acquire: a thread that sees the function sees is_allocators_. nullptr: too
  // early.
  MMT_COLD Function* find() {
    if (mmt::names::is_early()) return nullptr;
    Function* function = next_.get();
    if (function == nullptr) function = reinterpret_cast<Function*>(find_in_runtime(next_.name()));
    if (function == nullptr) function = fallback_;
    const void* const allocator = library_of(::dlsym(RTLD_NEXT, "malloc"));
    const bool is_one = library_of(reinterpret_cast<const void*>(function)) == allocator;
    is_allocators_.store(is_one, std::memory_order_relaxed);
    function_.store(function, std::memory_order_release);
    return function;
  }

  Next<Function> next_;
  Function* fallback_;
  std::atomic<Function*> function_{nullptr};
  std::atomic<bool> is_allocators_{false};
};

using New = void*(size_t);
using NewNothrow = void*(size_t, const void*);
using NewAligned = void*(size_t, size_t);
using NewAlignedNothrow = void*(size_t, size_t, const void*);
using Delete = void(void*);
using DeleteSized = void(void*, size_t);
using DeleteNothrow = void(void*, const void*);
using DeleteSizedAligned = void(void*, size_t, size_t);
using DeleteAlignedNothrow = void(void*, size_t, const void*);

// For a program that has neither an allocator's operators nor a runtime that could be found.
template <class... Rest>
void* plain(size_t bytes, Rest...) {
  return std::malloc(bytes);
}
template <class... Rest>
void* aligned(size_t bytes, size_t alignment, Rest...) {
  return std::aligned_alloc(alignment, bytes);
}
template <class... Rest>
void release(void* block, Rest...) {
  std::free(block);
}

constinit Operator<New> new_one("_Znwm", plain);
constinit Operator<New> new_array("_Znam", plain);
constinit Operator<NewNothrow> new_one_nothrow("_ZnwmRKSt9nothrow_t", plain);
constinit Operator<NewNothrow> new_array_nothrow("_ZnamRKSt9nothrow_t", plain);
constinit Operator<NewAligned> new_one_aligned("_ZnwmSt11align_val_t", aligned);
constinit Operator<NewAligned> new_array_aligned("_ZnamSt11align_val_t", aligned);
constinit Operator<NewAlignedNothrow> new_one_aligned_nothrow("_ZnwmSt11align_val_tRKSt9nothrow_t",
                                                              aligned);
constinit Operator<NewAlignedNothrow> new_array_aligned_nothrow(
    "_ZnamSt11align_val_tRKSt9nothrow_t", aligned);
constinit Operator<Delete> delete_one("_ZdlPv", release);
constinit Operator<Delete> delete_array("_ZdaPv", release);
constinit Operator<DeleteSized> delete_one_sized("_ZdlPvm", release);
constinit Operator<DeleteSized> delete_array_sized("_ZdaPvm", release);
constinit Operator<DeleteNothrow> delete_one_nothrow("_ZdlPvRKSt9nothrow_t", release);
constinit Operator<DeleteNothrow> delete_array_nothrow("_ZdaPvRKSt9nothrow_t", release);
constinit Operator<DeleteSized> delete_one_aligned("_ZdlPvSt11align_val_t", release);
constinit Operator<DeleteSized> delete_array_aligned("_ZdaPvSt11align_val_t", release);
constinit Operator<DeleteSizedAligned> delete_one_sized_aligned("_ZdlPvmSt11align_val_t", release);
constinit Operator<DeleteSizedAligned> delete_array_sized_aligned("_ZdaPvmSt11align_val_t",
                                                                  release);
constinit Operator<DeleteAlignedNothrow> delete_one_aligned_nothrow(
    "_ZdlPvSt11align_val_tRKSt9nothrow_t", release);
constinit Operator<DeleteAlignedNothrow> delete_array_aligned_nothrow(
    "_ZdaPvSt11align_val_tRKSt9nothrow_t", release);

}  // namespace

MMT_EXPORT void* _Znwm(size_t bytes) {
  return new_one.allocate({bytes, __builtin_return_address(0)}, bytes);
}
MMT_EXPORT void* _Znam(size_t bytes) {
  return new_array.allocate({bytes, __builtin_return_address(0)}, bytes);
}
MMT_EXPORT void* _ZnwmRKSt9nothrow_t(size_t bytes, const void* tag) {
  return new_one_nothrow.allocate({bytes, __builtin_return_address(0)}, bytes, tag);
}
MMT_EXPORT void* _ZnamRKSt9nothrow_t(size_t bytes, const void* tag) {
  return new_array_nothrow.allocate({bytes, __builtin_return_address(0)}, bytes, tag);
}
MMT_EXPORT void* _ZnwmSt11align_val_t(size_t bytes, size_t alignment) {
  return new_one_aligned.allocate({bytes, __builtin_return_address(0), alignment}, bytes,
                                  alignment);
}
MMT_EXPORT void* _ZnamSt11align_val_t(size_t bytes, size_t alignment) {
  return new_array_aligned.allocate({bytes, __builtin_return_address(0), alignment}, bytes,
                                    alignment);
}
MMT_EXPORT void* _ZnwmSt11align_val_tRKSt9nothrow_t(size_t bytes, size_t alignment,
                                                    const void* tag) {
  return new_one_aligned_nothrow.allocate({bytes, __builtin_return_address(0), alignment}, bytes,
                                          alignment, tag);
}
MMT_EXPORT void* _ZnamSt11align_val_tRKSt9nothrow_t(size_t bytes, size_t alignment,
                                                    const void* tag) {
  return new_array_aligned_nothrow.allocate({bytes, __builtin_return_address(0), alignment}, bytes,
                                            alignment, tag);
}
MMT_EXPORT void _ZdlPv(void* block) { delete_one.release(__builtin_return_address(0), block); }
MMT_EXPORT void _ZdaPv(void* block) { delete_array.release(__builtin_return_address(0), block); }
MMT_EXPORT void _ZdlPvm(void* block, size_t bytes) {
  delete_one_sized.release(__builtin_return_address(0), block, bytes);
}
MMT_EXPORT void _ZdaPvm(void* block, size_t bytes) {
  delete_array_sized.release(__builtin_return_address(0), block, bytes);
}
MMT_EXPORT void _ZdlPvRKSt9nothrow_t(void* block, const void* tag) {
  delete_one_nothrow.release(__builtin_return_address(0), block, tag);
}
MMT_EXPORT void _ZdaPvRKSt9nothrow_t(void* block, const void* tag) {
  delete_array_nothrow.release(__builtin_return_address(0), block, tag);
}
MMT_EXPORT void _ZdlPvSt11align_val_t(void* block, size_t alignment) {
  delete_one_aligned.release(__builtin_return_address(0), block, alignment);
}
MMT_EXPORT void _ZdaPvSt11align_val_t(void* block, size_t alignment) {
  delete_array_aligned.release(__builtin_return_address(0), block, alignment);
}
MMT_EXPORT void _ZdlPvmSt11align_val_t(void* block, size_t bytes, size_t alignment) {
  delete_one_sized_aligned.release(__builtin_return_address(0), block, bytes, alignment);
}
MMT_EXPORT void _ZdaPvmSt11align_val_t(void* block, size_t bytes, size_t alignment) {
  delete_array_sized_aligned.release(__builtin_return_address(0), block, bytes, alignment);
}
MMT_EXPORT void _ZdlPvSt11align_val_tRKSt9nothrow_t(void* block, size_t alignment,
                                                    const void* tag) {
  delete_one_aligned_nothrow.release(__builtin_return_address(0), block, alignment, tag);
}
MMT_EXPORT void _ZdaPvSt11align_val_tRKSt9nothrow_t(void* block, size_t alignment,
                                                    const void* tag) {
  delete_array_aligned_nothrow.release(__builtin_return_address(0), block, alignment, tag);
}
