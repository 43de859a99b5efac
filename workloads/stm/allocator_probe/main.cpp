// allocator_probe: what an allocator does that a transactional memory feels. It tells how far
// blocks lie apart, which share a stripe, and where threads get theirs. It tells up to which size
// malloc and free need no locked instruction. It prints `key: value` lines. They are addresses and
// counts only, no times.
#include <sys/sysinfo.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "common/flags.h"
#include "stm/allocator_probe/locked_steps.h"
#include "stm/allocator_probe/oracles.h"
#include "stm/allocator_probe/places.h"
#include "stm/allocator_probe/threads.h"
#include "stm/common/bench_report.h"

namespace {

using namespace mmt::workloads::stm;

constexpr size_t kNodes = 4096;
constexpr size_t kShown = 16;

class Told {
 public:
  void add(const std::string& key, double value, const char* unit) {
    std::printf("%s: %.12g\n", key.c_str(), value);
    std::fflush(stdout);
    report_.add(key, value, unit);
  }
  void add(const std::string& key, size_t value, const char* unit) {
    add(key, static_cast<double>(value), unit);
  }

 private:
  BenchReport report_{"allocator_probe"};
};

void tell_places(Told& told) {
  told.add("smallest", usual_gap(places_of(1, kNodes)), "bytes");
  told.add("gap_16", usual_gap(places_of(16, kNodes)), "bytes");
  told.add("gap_48", usual_gap(places_of(48, kNodes)), "bytes");
  const std::vector<uintptr_t> nodes = places_of(16, kNodes);
  for (unsigned shift = 3; shift <= 8; ++shift) {
    told.add("sharing_shift_" + std::to_string(shift), sharing(nodes, shift), "share");
  }
  const uintptr_t base = *std::min_element(nodes.begin(), nodes.begin() + kShown) >> 5;
  for (size_t i = 0; i < kShown; ++i) {
    told.add("stripe_of_" + std::to_string(i + 1), (nodes[i] >> 5) - base, "count");
  }
}

void tell_threads(Told& told) {
  const InTurn blocks = blocks_in_turn(16, 64);
  const uintptr_t one = blocks.first[0], other = blocks.second[0];
  told.add("first_blocks_apart", one < other ? other - one : one - other, "bytes");
  told.add("alignment_between", static_cast<size_t>(alignment_between(blocks)), "bytes");
  told.add("shared_lines", shared_units(blocks, 6), "count");
  told.add("shared_stripes", shared_units(blocks, 5), "count");
  told.add("aliases", aliasing(blocks, 5, 20), "share");
  told.add("mapped_at_first", blocks.mapped, "bytes");
}

void tell_locks(Told& told) {
  size_t fast = 0;
  bool still = true;
  for (size_t bytes = 16; bytes <= size_t{512} << 10; bytes *= 2) {
    const std::optional<size_t> locked = locked_steps_of_pair(bytes);
    if (locked && bytes <= 8192) told.add("locked_" + std::to_string(bytes), *locked, "count");
    still = still && locked == size_t{0};
    if (still) fast = bytes;
    // What cannot be stepped is not told.
    if (!locked && bytes == 16) return;
  }
  told.add("fast_path", fast, "bytes");
}

void tell_machine(Told& told) {
  told.add("cores", static_cast<size_t>(get_nprocs_conf()), "count");
  told.add("l1_data", static_cast<size_t>(std::max(0L, sysconf(_SC_LEVEL1_DCACHE_SIZE))), "bytes");
  told.add("line", static_cast<size_t>(std::max(0L, sysconf(_SC_LEVEL1_DCACHE_LINESIZE))), "bytes");
  told.add("l2", static_cast<size_t>(std::max(0L, sysconf(_SC_LEVEL2_CACHE_SIZE))), "bytes");
  told.add("l3", static_cast<size_t>(std::max(0L, sysconf(_SC_LEVEL3_CACHE_SIZE))), "bytes");
  told.add(
      "memory",
      static_cast<size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<size_t>(sysconf(_SC_PAGESIZE)),
      "bytes");
}

}  // namespace

int main(int argc, char** argv) {
  mmt::workloads::Flags flags("allocator_probe", argc, argv);
  const bool oracles = flags.given("oracles");
  flags.finish();
  if (oracles) return print_address_oracles();
  Told told;
  tell_threads(told);  // first: whose heaps are fresh
  tell_places(told);
  tell_locks(told);
  tell_machine(told);
  return 0;
}
