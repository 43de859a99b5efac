#pragma once
// The state holds the whole heap beside a list of what is live. A few threads, of which one runs at
// a time, allocate, resize and free each other's blocks and end. The state does the work of the
// memory thread, where there is one, step by step in any order. Memory goes back to the system in
// between. Every block has contents that tell its id, and every block of every class is accounted
// for.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "heap/keeper/purger.h"
#include "support/fresh_heap.h"

namespace mmt::fuzz {

enum class HeapOpKind : uint8_t {
  kTake,
  kTakeMany,  // of one size: what fills caches
  kTakeZeroed,
  kTakeAligned,
  kGive,
  kGiveMany,
  kResize,
  kSwitch,     // another thread runs
  kEndThread,  // the running one ends
  kServe,      // there is a memory thread from now on, or none
  kDrain,      // it takes surplus back
  kCollect,    // what was returned through bitmaps and lists
  kReclaim,    // an ended thread's client
  kPurge,      // what is due some time later
  kTrim,
  kCount,
};

// Any values are legal, and are reduced to what there is.
struct HeapOp {
  HeapOpKind kind = HeapOpKind::kTrim;
  uint32_t which = 0;   // a thread, a client, the place in the list of blocks, a range of sizes
  uint32_t amount = 0;  // of bytes, blocks or time
};

std::string describe(const HeapOp& op);

class HeapState {
 public:
  using Op = HeapOp;

  HeapState();
  HeapState(const HeapState&) = delete;
  HeapState& operator=(const HeapState&) = delete;

  // Each throws std::logic_error that says what does not hold.
  void apply(const Op& op);
  void check_invariants() const;
  // Gives all back and ends all threads; the heap is empty then.
  void finish();

 private:
  static constexpr uint32_t kThreads = 4;
  struct Block {
    char* at;
    size_t bytes;
    uint64_t id;
  };

  void hold(void* at, size_t bytes);
  Block drop(uint32_t which);
  void take_many(const Op& op);
  void resize(const Op& op);
  void switch_to(uint32_t thread);
  void end_thread();
  void serve(bool on);
  void reclaim(const Op& op);
  void purge(const Op& op);
  heap::Client* client_of(const Op& op) const;

  mutable test::FreshHeap heap_;
  heap::Purger purger_;
  std::vector<Block> live_;
  std::array<heap::Client*, kThreads> clients_{};  // of the threads that do not run
  uint32_t running_ = 0;
  bool serving_ = false;
  uint64_t next_id_ = 1;
  uint64_t now_ = 1;  // ns
};

}  // namespace mmt::fuzz
