#pragma once
// The state holds the native depot beside a model of what a caller of the depot holds. Every block
// has contents that tell its place, so that a block handed out twice, lost or overwritten is found.
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "heap/store/depot.h"

namespace mmt::fuzz {

enum class OpKind : uint8_t {
  kTakeSpan,
  kCarveSpan,
  kTakeBlock,
  kPutOffsets,
  kPutWords,
  kReturnBlocks,
  kCollect,
  kTakeLarge,
  kCarveLarge,
  kGiveLarge,
  kReturnLarge,
  kResizeLarge,
  kGrowLarge,
  kPurge,
  kPurgeTop,
  kAge,
  kThin,
  kCount,
};

// What the numbers mean differs by kind; any values are legal, and are reduced to what there is.
struct Op {
  OpKind kind = OpKind::kAge;
  uint32_t which = 0;   // a class, or the place in a list of blocks
  uint32_t amount = 0;  // of blocks, bytes or slots
};

std::string describe(const Op& op);

class DepotState {
 public:
  using Op = fuzz::Op;

  DepotState();
  // All its address space goes back to the system.
  ~DepotState();
  DepotState(const DepotState&) = delete;
  DepotState& operator=(const DepotState&) = delete;

  // Each throws std::logic_error that says what does not hold.
  void apply(const Op& op);
  void check_invariants();
  // Gives all back; nothing may be left then.
  void finish();

 private:
  struct Large {
    char* at;
    size_t bytes;
  };
  using Blocks = std::vector<char*>;

  void hold(store::SizeClass c, char* block);
  void hold_span(store::SizeClass c, store::Slot slot, const uint64_t* words);
  void release(store::SizeClass c, char* block);
  Blocks choose(store::SizeClass c, const Op& op);
  void hold_large(void* block, size_t bytes, const store::CleanParts& clean);
  void use_room(char* block, bool fill_some);
  Large choose_large(const Op& op);
  void put_offsets(store::SizeClass c, const Blocks& blocks);
  void put_words(const Blocks& blocks, store::SizeClass c);
  void purge(store::Slot first, size_t count);
  void thin(const Op& op);
  store::Slot span_of(store::SizeClass c, const char* block) const;
  uint32_t index_in_span(store::SizeClass c, const char* block) const;

  std::unique_ptr<store::Depot> depot_ = std::make_unique<store::Depot>();
  std::array<Blocks, store::kClassCount> held_;
  std::array<size_t, store::kClassCount> returned_{};  // at most so many rest uncollected
  std::vector<Large> large_;
  size_t large_returned_ = 0;
};

}  // namespace mmt::fuzz
