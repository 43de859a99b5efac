// The C names: each is timed and served by the next library.
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "latency/next.h"
#include "latency/timed.h"

namespace {

using mmt::latency::Call;
using mmt::latency::Next;
using mmt::latency::timed;

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

// What dlsym allocates while the first names are looked up; never given back. Relaxed: the counter
// hands out places, and tells nothing about their contents.
alignas(16) char spare[4096];
std::atomic<size_t> spare_used{0};

void* take_spare(size_t bytes) {
  const size_t size = (bytes + 15) & ~size_t{15};
  const size_t at = spare_used.fetch_add(size, std::memory_order_relaxed);
  if (size < bytes || at + size > sizeof spare) {
    errno = ENOMEM;
    return nullptr;
  }
  return spare + at;
}

bool is_spare(const void* block) {
  const auto address = reinterpret_cast<uintptr_t>(block);
  const auto start = reinterpret_cast<uintptr_t>(spare);
  return address >= start && address < start + sizeof spare;
}

template <class Result, class... Parameters>
Result allocate(Next<Result(Parameters...)>& next, Parameters... arguments) {
  auto* const function = next.get();
  if (function != nullptr) return timed<Call::kAllocate>(function, arguments...);
  errno = ENOMEM;
  return Result{};
}

}  // namespace

MMT_EXPORT void* malloc(size_t bytes) {
  auto* const function = next_malloc.get();
  return function != nullptr ? timed<Call::kAllocate>(function, bytes) : take_spare(bytes);
}

MMT_EXPORT void* calloc(size_t count, size_t size) {
  auto* const function = next_calloc.get();
  if (function != nullptr) return timed<Call::kAllocate>(function, count, size);
  size_t bytes;
  return take_spare(__builtin_mul_overflow(count, size, &bytes) ? SIZE_MAX : bytes);
}

MMT_EXPORT void* realloc(void* block, size_t bytes) {
  if (!is_spare(block)) return allocate(next_realloc, block, bytes);
  void* moved = malloc(bytes);
  const auto room = static_cast<size_t>(spare + sizeof spare - static_cast<char*>(block));
  if (moved != nullptr) std::memcpy(moved, block, bytes < room ? bytes : room);
  return moved;
}

MMT_EXPORT void free(void* block) {
  if (is_spare(block)) return;
  auto* const function = next_free.get();
  if (function != nullptr) timed<Call::kFree>(function, block);
}

MMT_EXPORT void* reallocarray(void* block, size_t count, size_t size) {
  return allocate(next_reallocarray, block, count, size);
}
MMT_EXPORT void* memalign(size_t alignment, size_t bytes) {
  return allocate(next_memalign, alignment, bytes);
}
MMT_EXPORT void* aligned_alloc(size_t alignment, size_t bytes) {
  return allocate(next_aligned_alloc, alignment, bytes);
}
MMT_EXPORT int posix_memalign(void** result, size_t alignment, size_t bytes) {
  auto* const function = next_posix_memalign.get();
  if (function == nullptr) return ENOMEM;
  return timed<Call::kAllocate>(function, result, alignment, bytes);
}
MMT_EXPORT void* valloc(size_t bytes) { return allocate(next_valloc, bytes); }
MMT_EXPORT void* pvalloc(size_t bytes) { return allocate(next_pvalloc, bytes); }
