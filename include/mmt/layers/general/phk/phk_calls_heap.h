// This is the outermost layer of PHKmalloc. Warnings get to know the name of what the program
// called. A call within a call (of a signal handler, as a rule) is refused with a warning. The
// layer has the options R, U, V and X. Any thread that comes while another is inside is taken for a
// recursive call, too.
#pragma once

#include <atomic>

#include <mmt/core/compiler.h>
#include <mmt/layers/general/phk/control_heap.h>
#include <mmt/layers/general/phk/report.h>
#include <mmt/layers/heap.h>
#include <mmt/layers/pipe.h>

namespace mmt::layers {

template <class Super>
class PhkCallsHeap : public Super {
  static_assert(PhkControlledHeap<Super>,
                "PhkCallsHeap: its super-heap has no options(); put PhkControl below it");
  static_assert(AligningHeap<Super> && ResizableHeap<Super>,
                "PhkCallsHeap: its super-heap has no allocate(size, alignment) and "
                "expand(block, size)");

 public:
  // free() warns of addresses that never were a block.
  static constexpr bool kReportsJunk = true;

  using Super::Super;

  MMT_ALWAYS_INLINE void* malloc(size_t bytes) {
    if (MMT_UNLIKELY(Super::needs_attention() || Super::call() != nullptr)) {
      return malloc_watched(bytes);
    }
    enter("malloc");
    void* const block = Super::malloc(bytes);
    leave();
    return block;
  }
  MMT_ALWAYS_INLINE void free(void* block) {
    if (MMT_UNLIKELY(Super::needs_attention() || Super::call() != nullptr)) {
      return free_watched(block);
    }
    enter("free");
    Super::free(block);
    leave();
  }
  Block allocate(size_t bytes, size_t alignment) {
    if (!may_enter("memalign")) return {};
    const Block block = Super::allocate(bytes, alignment);
    leave();
    if (Super::needs_attention()) {
      note({.call = "memalign", .bytes = bytes, .alignment = alignment, .result = block.data});
      if (block.data == nullptr) note_failure("memalign");
    }
    return block;
  }
  size_t good_size(size_t bytes) const requires GoodSizeHeap<Super> {
    if (Super::needs_attention()) Super::start();  // canaries take room
    return Super::good_size(bytes);
  }
  // It is not done at all where blocks always move.
  bool expand(void* block, size_t bytes) {
    if (!may_enter("realloc")) return false;
    const bool is_done = Super::options().always_move ? false : Super::expand(block, bytes);
    leave();
    if (is_done && Super::needs_attention()) {
      note({.call = "realloc", .block = block, .bytes = bytes, .result = block});
    }
    return is_done;
  }

 private:
  // A signal handler's call sees it.
  MMT_ALWAYS_INLINE void enter(const char* call) {
    Super::set_call(call);
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
  MMT_ALWAYS_INLINE void leave() {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    Super::set_call(nullptr);
  }
  MMT_NOINLINE bool may_enter(const char* call) {
    if (Super::call() != nullptr) {
      warn_of_recursion(call);
      return false;
    }
    if (Super::needs_attention()) Super::start();
    enter(call);
    return true;
  }
  MMT_COLD void warn_of_recursion(const char* call) {
    const char* const outer = Super::call();
    Super::set_call(call);
    Super::warn("recursive call");
    Super::set_call(outer);
  }

  MMT_NOINLINE void* malloc_watched(size_t bytes) {
    if (!may_enter("malloc")) return nullptr;
    const bool is_null = bytes == 0 && Super::options().sysv;
    void* const block = is_null ? nullptr : Super::malloc(bytes);
    leave();
    note({.call = "malloc", .bytes = bytes, .result = block});
    if (block == nullptr && !is_null) note_failure("malloc");
    return block;
  }
  MMT_NOINLINE void free_watched(void* block) {
    if (!may_enter("free")) return;
    Super::free(block);
    leave();
    note({.call = "free", .block = block, .has_result = false});
  }
  void note(const PhkReport::Traced& traced) {
    if (Super::options().trace) PhkReport::trace(traced);
  }
  void note_failure(const char* call) {
    if (Super::options().abort_on_oom) PhkReport::error(call, "out of memory");
  }
};

using PhkCalls = Stage<PhkCallsHeap>;

}  // namespace mmt::layers
