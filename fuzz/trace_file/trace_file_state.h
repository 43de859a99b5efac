// A trace file that grows block by block, right ones and crafted ones, read and replayed under a
// bound of memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "driver/bounded_reading.h"
#include "tracefile/block.h"
#include "tracefile/frame.h"
#include "tracefile/index.h"

namespace mmt::fuzz {

enum class TraceFileOpKind : uint8_t {
  kFrame,      // some events that hang together
  kBirths,     // a whole frame of objects that stay, in some sixty bytes
  kSites,      // call sites
  kManySites,  // a block that unpacks to MiBs
  kForeign,    // a block of any bytes and kind
  kByte,       // of a block's content
  kNumber,     // a large one in it
  kIndex,      // of the blocks so far
  kCut,        // the file ends early
  kSum,        // of a block is wrong
  kRead,
  kReplay,
  kCount,
};

// Any values are legal, and are reduced to what there is.
struct TraceFileOp {
  TraceFileOpKind kind = TraceFileOpKind::kRead;
  uint32_t which = 0;
  uint32_t amount = 0;
};

std::string describe(const TraceFileOp& op);

class TraceFileState {
 public:
  using Op = TraceFileOp;

  TraceFileState();

  // Each throws std::logic_error that says what does not hold.
  void apply(const Op& op);
  void check_invariants() const {}
  // Reads and replays what there is.
  void finish();

 private:
  struct Block {
    tracefile::BlockKind kind;
    std::vector<uint8_t> content;
  };

  void add_frame(const Op& op);
  void add_births(const Op& op);
  void add_sites(uint32_t count, const std::string& text);
  void add_foreign(const Op& op);
  void add_index();
  void change(const Op& op, bool is_number);
  std::string bytes() const;
  void read(const Op& op) const;
  void replay(const Op& op) const;

  std::vector<Block> blocks_;
  tracefile::FrameEncoder frame_;
  std::vector<tracefile::Object> live_;
  tracefile::Object newest_ = 0;
  uint32_t sites_ = 0;
  uint32_t cut_ = 0;             // bytes that the file lacks at its end
  size_t wrong_sum_ = SIZE_MAX;  // a block's place
  MemoryFile file_;
};

}  // namespace mmt::fuzz
