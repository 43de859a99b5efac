// The reader of pools meets programs that write what they like into their pools, and one that does
// as it should. The trace of that one is whole, whatever the others do. Neither time nor memory is
// without bound.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tracing/program_for_tests.h"
#include "tracing/recording.h"

namespace mmt::fuzz {

enum class PoolOpKind : uint8_t {
  kRecord,      // the good program leaves one
  kLook,        // the reader looks
  kChunk,       // a hostile one takes a chunk whose head is as it should be, but for one word
  kEvents,      // records of any kind in its chunks
  kWord,        // any word anywhere in its pool
  kHead,        // any word of a chunk's head
  kBits,        // any word of what is free
  kEverything,  // every word of its pool
  kShrink,      // its file gets another size, which must fail
  kAnew,        // it sends another pool
  kOther,       // it sends something that is no pool
  kCount,
};

// Any values are legal, and are reduced to what there is.
struct PoolOp {
  PoolOpKind kind = PoolOpKind::kLook;
  uint32_t which = 0;
  uint32_t amount = 0;
};

std::string describe(const PoolOp& op);

class PoolState {
 public:
  using Op = PoolOp;

  PoolState();
  ~PoolState();
  PoolState(const PoolState&) = delete;
  PoolState& operator=(const PoolState&) = delete;

  // Each throws std::logic_error that says what does not hold.
  void apply(const Op& op);
  void check_invariants() const;
  // Ends the recording: the good program's trace has all that it has left.
  void finish();

 private:
  void leave_any(const Op& op);
  uint64_t any_word(const Op& op);

  std::string folder_;
  std::unique_ptr<tracing::Recording> recording_;
  std::unique_ptr<tracing::FakeProgram> good_;
  std::unique_ptr<tracing::FakeProgram> hostile_;
  size_t hostile_chunk_ = 0;  // the last that was taken
  uint64_t hostile_sequence_ = 0;
  uint64_t any_ = 1;
};

}  // namespace mmt::fuzz
