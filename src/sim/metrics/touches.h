// Which cache lines and pages of its metadata an operation touches. It counts distinct ones of each
// operation. It also counts what misses in a first-level cache of 32 KiB (8 ways) and a TLB of 64
// entries (4 ways). It also tells which pages were ever written to, which may be all that is
// wanted. Lines are of 64 bytes, pages of 4 KiB. One thread may use it.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/metrics/tally.h"
#include "sim/metrics/written_pages.h"

namespace mmt::sim {

// Least recently used, by place in the set.
template <unsigned kSets, unsigned kWays>
class LruCache {
 public:
  // Whether it was missing.
  bool touch(uint64_t key) {
    auto& set = sets_[key % kSets];
    for (unsigned way = 0; way < kWays; ++way) {
      if (set[way] != key + 1) continue;
      for (; way > 0; --way) set[way] = set[way - 1];
      set[0] = key + 1;
      return false;
    }
    for (unsigned way = kWays - 1; way > 0; --way) set[way] = set[way - 1];
    set[0] = key + 1;
    return true;
  }

 private:
  std::array<std::array<uint64_t, kWays>, kSets> sets_{};
};

class Touches {
 public:
  static constexpr unsigned kLineBits = 6;
  static constexpr unsigned kPageBits = WrittenPages::kBits;
  enum class Kind { kOfEachOperation, kPagesEver };

  explicit Touches(Kind kind = Kind::kOfEachOperation) : kind_(kind) {}
  bool is_of_each_operation() const { return kind_ == Kind::kOfEachOperation; }

  void begin() {
    ++operation_;
    lines_ = pages_ = 0;
    path_.clear();
  }
  // By the program: its object.
  void wrote(uint64_t at, uint64_t bytes) { written_.add(at, bytes); }
  // By the policy: `bytes`, not 0, of one page.
  void touched(uint64_t at, uint64_t bytes) {
    written_.add(at, bytes);
    if (!is_of_each_operation()) return;
    for (uint64_t line = at >> kLineBits; line <= (at + bytes - 1) >> kLineBits; ++line) {
      if (line_misses_of_.touch(line)) ++line_misses_;
      if (is_first(line_seen_, line)) ++lines_;
    }
    const uint64_t page = at >> kPageBits;
    if (page_misses_of_.touch(page)) ++page_misses_;
    if (is_first(page_seen_, page)) ++pages_;
    if (keeps_path_) path_.push_back(at);
  }
  void end(uint64_t event) {
    line_tally_.add(lines_, event);
    page_tally_.add(pages_, event);
  }

  const Tally& lines() const { return line_tally_; }
  const Tally& pages() const { return page_tally_; }
  uint64_t line_misses() const { return line_misses_; }
  uint64_t page_misses() const { return page_misses_; }
  const WrittenPages& written() const { return written_; }

  // The addresses of the operation since begin(), in order.
  void keep_path(bool on) { keeps_path_ = on; }
  const std::vector<uint64_t>& path() const { return path_; }

 private:
  // Whether it is the first touch in this operation. A number of 32 bits comes again after 4
  // thousand million operations.
  bool is_first(std::vector<uint32_t>& seen, uint64_t key) {
    if (key >= seen.size()) seen.resize(key + key / 2 + 64);
    if (seen[key] == operation_) return false;
    seen[key] = operation_;
    return true;
  }

  Kind kind_;
  WrittenPages written_;
  uint32_t operation_ = 0;
  uint64_t lines_ = 0;
  uint64_t pages_ = 0;
  uint64_t line_misses_ = 0;
  uint64_t page_misses_ = 0;
  bool keeps_path_ = false;
  std::vector<uint32_t> line_seen_;
  std::vector<uint32_t> page_seen_;
  std::vector<uint64_t> path_;
  LruCache<64, 8> line_misses_of_;
  LruCache<16, 4> page_misses_of_;
  Tally line_tally_;
  Tally page_tally_;
};

}  // namespace mmt::sim
