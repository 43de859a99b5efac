#include "stm/allocator_probe/threads.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <set>
#include <thread>

namespace mmt::workloads::stm {

namespace {

// Bytes of address space, told without allocating.
size_t address_space() {
  char text[64] = {};
  const int file = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  const ssize_t size = ::read(file, text, sizeof text - 1);
  ::close(file);
  if (size <= 0) return 0;
  return std::strtoull(text, nullptr, 10) * static_cast<size_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace

InTurn blocks_in_turn(size_t bytes, size_t count) {
  InTurn told;
  told.first.resize(count);
  told.second.resize(count);
  std::atomic<size_t> turn{0};  // whose turn it is: even, the first thread's
  const auto take = [&](std::vector<uintptr_t>& places, size_t parity) {
    for (size_t i = 0; i < count; ++i) {
      while (turn.load(std::memory_order_acquire) != 2 * i + parity) std::this_thread::yield();
      const size_t before = i == 0 && parity == 1 ? address_space() : 0;
      void* const block = std::malloc(bytes);
      if (i == 0 && parity == 1) told.mapped = address_space() - before;
      places[i] = reinterpret_cast<uintptr_t>(block);
      // Release: the other's malloc sees all of this one.
      turn.store(2 * i + parity + 1, std::memory_order_release);
    }
  };
  std::thread first([&] { take(told.first, 0); });
  std::thread second([&] { take(told.second, 1); });
  first.join();
  second.join();
  return told;
}

size_t shared_units(const InTurn& of, unsigned log2) {
  std::set<uintptr_t> others;
  for (const uintptr_t place : of.second) others.insert(place >> log2);
  size_t shared = 0;
  for (const uintptr_t place : of.first) shared += others.count(place >> log2);
  return shared;
}

double aliasing(const InTurn& of, unsigned shift, unsigned log2_orecs) {
  const uintptr_t mask = (uintptr_t{1} << log2_orecs) - 1;
  size_t aliases = 0;
  for (size_t i = 0; i < of.first.size(); ++i) {
    const uintptr_t one = of.first[i] >> shift, other = of.second[i] >> shift;
    aliases += one != other && (one & mask) == (other & mask) ? 1 : 0;
  }
  return static_cast<double>(aliases) / static_cast<double>(of.first.size());
}

uint64_t alignment_between(const InTurn& of) {
  const uint64_t distance = of.first[0] ^ of.second[0];
  return distance & (~distance + 1);
}

}  // namespace mmt::workloads::stm
