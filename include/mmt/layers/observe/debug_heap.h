// This layer finds double and invalid frees, and frees within blocks or with a wrong size. It finds
// writes before, behind and after the life of blocks. It finds leaks, and super-heaps that give out
// what is in use. Each fault goes to the Reporter (fault_report.h) with the block, its size and the
// places. The heap then goes on, and a wrong free is dropped. Writes are found when the block is
// freed or leaves the quarantine, by check_all(), and at the end. Leaks are told at the end as
// well. A freed block stays in the quarantine, filled, until more than kQuarantineBytes have been
// freed after it. A freed block is remembered at least until about as many others are. The layer is
// for one thread.
#pragma once

#include <concepts>

#include <mmt/core/compiler.h>
#include <mmt/layers/adapt/front_heap.h>
#include <mmt/layers/heap.h>
#include <mmt/layers/observe/debug_ledger.h>

namespace mmt::layers {

template <class Reporter, size_t kQuarantineBytes, class Super>
class DebugHeap : public Super {
  static_assert(!kIsFreeingYounger<Super>,
                "DebugHeap: its super-heap frees younger blocks with each, as ObstackHeap does");
  static_assert(Heap<Super>, "DebugHeap: its super-heap has no malloc(size_t) and free(void*)");
  static_assert(std::invocable<Reporter&, const FaultReport&>,
                "DebugHeap: its Reporter cannot be called with a FaultReport");
  static_assert(!FrontHeap<Super>,
                "DebugHeap: realloc and calloc of its super-heap would pass it by; put it below");
  static constexpr size_t kGuard = detail::kGuard;
  using Ledger = DebugLedger<Reporter>;

 public:
  static constexpr size_t kAlignment = Super::kAlignment < kGuard ? Super::kAlignment : kGuard;
  static constexpr size_t kSkew = Super::kSkew % kAlignment;
  static constexpr bool kKeepsAll = false;
  static constexpr bool kContiguous = false;
  static constexpr bool kSharedSizes = false;
  static constexpr bool kEndsAll = false;  // what is not freed is a leak

  using Super::Super;
  DebugHeap(const DebugHeap&) = delete;
  DebugHeap& operator=(const DebugHeap&) = delete;
  ~DebugHeap() {
    ledger_.check_all(nullptr);
    ledger_.report_leaks();
    while (ledger_.has_quarantined()) Super::free(ledger_.leave_quarantine(nullptr));
  }

  MMT_NOINLINE void* malloc(size_t bytes) {
    if (bytes > kMaxRequest) return nullptr;
    return admit(Super::malloc(bytes + 2 * kGuard), kGuard, bytes, __builtin_return_address(0));
  }
  MMT_NOINLINE Block allocate(size_t bytes, size_t alignment) requires AligningHeap<Super> {
    const size_t front = alignment < kGuard ? kGuard : alignment;
    if (bytes > kMaxRequest || front > kMaxRequest - bytes) return {};
    void* raw = Super::allocate(bytes + front + kGuard, alignment).data;
    void* block = admit(raw, front, bytes, __builtin_return_address(0));
    return block == nullptr ? Block() : Block{block, bytes};
  }

  MMT_NOINLINE void free(void* block) {
    const void* const caller = __builtin_return_address(0);
    DebugRecord* record = ledger_.find_live(block);
    if (record == nullptr) return ledger_.report_wrong_free(block, caller);
    take_back(block, *record, caller);
  }
  MMT_NOINLINE void free(void* block, size_t bytes) {
    const void* const caller = __builtin_return_address(0);
    DebugRecord* record = ledger_.find_live(block);
    if (record == nullptr) return ledger_.report_wrong_free(block, caller);
    if (record->size != bytes) ledger_.report_wrong_size(block, *record, bytes, caller);
    take_back(block, *record, caller);
  }

  MMT_NOINLINE bool expand(void* block, size_t bytes) requires ResizableHeap<Super> {
    DebugRecord* record = ledger_.find_live(block);
    if (record == nullptr || bytes > kMaxRequest) return false;
    if (bytes <= record->size) return true;
    ledger_.check(block, *record, __builtin_return_address(0));
    const size_t front = record->front();
    if (!Super::expand(static_cast<char*>(block) - front, front + bytes + kGuard)) return false;
    ledger_.resize(block, *record, bytes);
    return true;
  }

  // The block has no more than that from now on: what is written behind it is found.
  MMT_NOINLINE void cut(void* block, size_t bytes) {
    DebugRecord* record = ledger_.find_live(block);
    if (record == nullptr || bytes >= record->size) return;
    ledger_.check(block, *record, __builtin_return_address(0));
    ledger_.resize(block, *record, bytes);
  }

  // As much as was asked for; 0 for what is no block in use.
  size_t get_size(const void* block) const {
    const DebugRecord* record = ledger_.find_live(block);
    return record != nullptr ? record->size : 0;
  }
  size_t good_size(size_t bytes) const { return bytes > kMaxRequest ? 0 : bytes; }
  MMT_NOINLINE void clear() requires ClearableHeap<Super> {
    ledger_.check_all(__builtin_return_address(0));
    ledger_.forget();
    Super::clear();
  }

  // Looks at all blocks for what was written around or after them; how many faults it found.
  MMT_NOINLINE size_t check_all() { return ledger_.check_all(__builtin_return_address(0)); }
  // Reports the blocks in use by the place of their allocation; how many there are.
  size_t report_leaks() { return ledger_.report_leaks(); }
  Reporter& reporter() { return ledger_.reporter(); }

  // These know nothing of the guards around a block.
  void base_of(void* block) = delete;
  void size_word(const void* block) = delete;
  void place_within(void* block, size_t alignment) = delete;
  void remap(void* block, size_t bytes) = delete;
  void* malloc_quickly(size_t bytes) = delete;
  bool free_quickly(void* block) = delete;

 private:
  void* admit(void* raw, size_t front, size_t bytes, const void* caller) {
    if (raw == nullptr) return nullptr;
    void* const block = static_cast<char*>(raw) + front;
    switch (ledger_.enter(block, front, bytes, caller)) {
      case Ledger::Entry::kMade:
        break;
      case Ledger::Entry::kNoMemory:
        Super::free(raw);
        return nullptr;
      case Ledger::Entry::kGivenTwice:
        return nullptr;  // it is another's
    }
    const size_t expected = front > kGuard ? 0 : kSkew;
    const size_t alignment = front > kGuard ? front : kAlignment;
    if (reinterpret_cast<uintptr_t>(block) % alignment != expected) {
      ledger_.report_misaligned(block, *ledger_.find_live(block), caller);
    }
    return block;
  }
  void take_back(void* block, DebugRecord& record, const void* caller) {
    ledger_.check(block, record, caller);
    ledger_.retire(block, record, caller);
    while (ledger_.quarantined() > kQuarantineBytes) {
      Super::free(ledger_.leave_quarantine(caller));
    }
  }

  Ledger ledger_;
};

template <class Reporter = StderrReporter, size_t kQuarantineBytes = size_t{256} << 10>
struct Debug {
  template <class Super>
  using Over = DebugHeap<Reporter, kQuarantineBytes, Super>;
};

}  // namespace mmt::layers
