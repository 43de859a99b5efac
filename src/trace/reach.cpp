#include "trace/reach.h"

#include <fcntl.h>
#include <sys/mman.h>

#include <mmt/sys/syscall.h>

#include "trace/recorder.h"

namespace mmt::trace {
namespace {

using sys::pointer_argument;
using sys::raw_syscall;

// Over that part of the pool's own mapping. Threads that do it at the same time map the same.
bool map_overflow(Pool& pool, size_t first) {
  const long file =
      raw_syscall(SYS_openat, AT_FDCWD, pointer_argument(pool.overflow_path), O_RDWR | O_CLOEXEC);
  if (file < 0) return false;
  char* const from = reinterpret_cast<char*>(&pool) + first * kChunkBytes;
  const long address = raw_syscall(SYS_mmap, pointer_argument(from),
                                   static_cast<long>(kPoolBytes - first * kChunkBytes),
                                   PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0);
  raw_syscall(SYS_close, file);
  return address >= 0 || address <= -4096;
}

bool can_reach(Pool& pool, size_t chunk) {
  // Acquire, for the path.
  const size_t first = pool.overflow_first.load(std::memory_order_acquire);
  if (first == 0 || chunk < first || life.has_overflow.load(std::memory_order_acquire)) return true;
  if (!map_overflow(pool, first)) return false;
  // Release, for threads that then use the mapping.
  life.has_overflow.store(true, std::memory_order_release);
  return true;
}

}  // namespace

size_t take_reachable_chunk(Pool& pool) {
  const size_t chunk = take_chunk(pool);
  if (chunk == 0 || can_reach(pool, chunk)) return chunk;
  give_chunk(pool, chunk);
  pool.out_of_reach.fetch_add(1, std::memory_order_relaxed);
  return 0;
}

}  // namespace mmt::trace
