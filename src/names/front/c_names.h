#pragma once
// This is a part of a source, which does not compile alone.
// The C names: each is served by the next library, within Around (names/front/request.h).
#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include <mmt/core/compiler.h>

#include "names/early.h"
#include "names/front/next.h"
#include "names/front/request.h"

namespace {

using mmt::names::front::Next;
using mmt::names::front::Request;

constinit Next<void*(size_t)> next_malloc("malloc");
constinit Next<void*(size_t, size_t)> next_calloc("calloc");
constinit Next<void*(void*, size_t)> next_realloc("realloc");
constinit Next<void*(void*, size_t, size_t)> next_reallocarray("reallocarray");
constinit Next<void(void*)> next_free("free");
constinit Next<void*(size_t, size_t)> next_memalign("memalign");
constinit Next<void*(size_t, size_t)> next_aligned_alloc("aligned_alloc");
constinit Next<int(void**, size_t, size_t)> next_posix_memalign("posix_memalign");
constinit Next<void*(size_t)> next_valloc("valloc");
constinit Next<void*(size_t)> next_pvalloc("pvalloc");
constinit Next<size_t(void*)> next_usable_size("malloc_usable_size");

constexpr size_t kPage = 4096;
constexpr size_t kLeastAlignment = 16;

// What serves until the next library is known, also what dlsym allocates while it is looked for.
mmt::names::EarlyBlocks& own_blocks() { return mmt::names::early_blocks(); }

size_t product(size_t count, size_t size) {
  size_t bytes;
  return __builtin_mul_overflow(count, size, &bytes) ? SIZE_MAX : bytes;
}

void* or_no_memory(void* block) {
  if (block == nullptr && !mmt::names::is_early()) errno = ENOMEM;
  return block;
}

// What is asked of a function that the next library does not have, or that it is too early to know.
MMT_COLD void* refuse(const Request& request) {
  if (!mmt::names::is_early()) return or_no_memory(nullptr);
  if (request.alignment > PTRDIFF_MAX) return nullptr;
  return own_blocks().allocate(request.bytes,
                               std::max<size_t>(std::bit_ceil(request.alignment), kLeastAlignment));
}

template <class... Parameters>
MMT_ALWAYS_INLINE void* allocate(Next<void*(Parameters...)>& next, const Request& request,
                                 Parameters... arguments) {
  auto* const function = next.get();
  if (MMT_UNLIKELY(function == nullptr)) return refuse(request);
  return Around::allocate(request, [&] { return function(arguments...); });
}

// The call goes to the next library, where that is known.
MMT_COLD void* move_own(void* block, size_t bytes) {
  if (mmt::names::is_early() || bytes == 0) return own_blocks().reallocate(block, bytes);
  void* const moved = malloc(bytes);
  if (moved == nullptr) return nullptr;
  const size_t before = own_blocks().size_of(block);
  std::memcpy(moved, block, before < bytes ? before : bytes);
  own_blocks().free(block);
  return moved;
}

template <class... Parameters>
MMT_ALWAYS_INLINE void* resize(Next<void*(void*, Parameters...)>& next, const Request& request,
                               void* block, Parameters... arguments) {
  if (own_blocks().owns(block)) return move_own(block, request.bytes);
  auto* const function = next.get();
  if (MMT_UNLIKELY(function == nullptr)) return block == nullptr ? refuse(request) : nullptr;
  return Around::resize(request, block, [&] { return function(block, arguments...); });
}

}  // namespace

MMT_EXPORT void* malloc(size_t bytes) {
  auto* const function = next_malloc.get();
  if (MMT_UNLIKELY(function == nullptr)) return or_no_memory(own_blocks().allocate(bytes));
  return Around::allocate({bytes, __builtin_return_address(0)}, [&] { return function(bytes); });
}

MMT_EXPORT void* calloc(size_t count, size_t size) {
  const size_t bytes = product(count, size);
  auto* const function = next_calloc.get();
  if (MMT_UNLIKELY(function == nullptr)) return or_no_memory(own_blocks().allocate_zeroed(bytes));
  return Around::allocate({bytes, __builtin_return_address(0), 0, true},
                          [&] { return function(count, size); });
}

MMT_EXPORT void* realloc(void* block, size_t bytes) {
  return resize(next_realloc, {bytes, __builtin_return_address(0)}, block, bytes);
}

MMT_EXPORT void* reallocarray(void* block, size_t count, size_t size) {
  return resize(next_reallocarray, {product(count, size), __builtin_return_address(0)}, block,
                count, size);
}

MMT_EXPORT void free(void* block) {
  if (own_blocks().owns(block)) return own_blocks().free(block);
  auto* const function = next_free.get();
  if (MMT_LIKELY(function != nullptr)) Around::release(block, [&] { function(block); });
}

MMT_EXPORT void* memalign(size_t alignment, size_t bytes) {
  return allocate(next_memalign, {bytes, __builtin_return_address(0), alignment}, alignment, bytes);
}

MMT_EXPORT void* aligned_alloc(size_t alignment, size_t bytes) {
  return allocate(next_aligned_alloc, {bytes, __builtin_return_address(0), alignment}, alignment,
                  bytes);
}

MMT_EXPORT int posix_memalign(void** result, size_t alignment, size_t bytes) {
  auto* const function = next_posix_memalign.get();
  if (MMT_UNLIKELY(function == nullptr)) {
    void* const block = refuse({bytes, nullptr, alignment});
    return block != nullptr ? (*result = block, 0) : ENOMEM;
  }
  int error = 0;
  Around::allocate({bytes, __builtin_return_address(0), alignment}, [&]() -> void* {
    error = function(result, alignment, bytes);
    return error == 0 ? *result : nullptr;
  });
  return error;
}

MMT_EXPORT void* valloc(size_t bytes) {
  return allocate(next_valloc, {bytes, __builtin_return_address(0), kPage}, bytes);
}

MMT_EXPORT void* pvalloc(size_t bytes) {
  return allocate(next_pvalloc, {bytes, __builtin_return_address(0), kPage}, bytes);
}

// Not told of: the next library answers, but for blocks of our own.
MMT_EXPORT size_t malloc_usable_size(void* block) {
  if (own_blocks().owns(block)) return own_blocks().size_of(block);
  auto* const function = next_usable_size.get();
  return MMT_LIKELY(function != nullptr) ? function(block) : 0;
}
