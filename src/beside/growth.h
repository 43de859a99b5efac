#pragma once
// Growth makes memory resident ahead of a growing heap, so that the program does not fault it in
// itself. It does so by huge pages where they are cheap, else in small steps. It calls nothing of
// the library. It sees where new blocks lie, and how far the library's memory around them reaches.
// One thread steps; see growth_thread.h.
#include <atomic>
#include <climits>
#include <cstddef>
#include <cstdint>

#include <mmt/core/compiler.h>
#include <mmt/sync/ladder.h>

#include "beside/spin_budget.h"
#include "beside/use_evidence.h"
#include "heap/keeper/growth_rate.h"

namespace mmt::beside {

class Growth {
 public:
  // What the thread calls now and then: asks that note() be called soon, for a new block.
  using Ask = void (*)();

  // Looks, and does at most one thing. How long to nap until the next step, in ns; 0: not at all.
  uint64_t step(sync::Ladder& ladder, Ask ask);
  // Whether the system has huge pages.
  void may_be_huge(bool may) { may_be_huge_ = may; }
  // The next block begins anew.
  void forget();
  // Whether a block has come since ask() was called last.
  bool is_answered() const { return latest_.load(std::memory_order_relaxed) != 0; }

  // Notes a new block of the library's. Any thread may call it.
  MMT_ALWAYS_INLINE void note(const void* block) {
    const auto address = reinterpret_cast<uintptr_t>(block);
    // Written when it has moved, so that the line stays where it is.
    const uintptr_t before = latest_.load(std::memory_order_relaxed);
    if (MMT_UNLIKELY(address - before + kNear > 2 * kNear)) answer(address);
  }

 private:
  static constexpr uintptr_t kNear = uintptr_t{32} << 10;
  // As much as the thread, which naps for less, is late at most.
  static constexpr size_t kMillisecondsAhead = 4;

  void answer(uintptr_t address);
  // Whether the program has allocated since it was asked before.
  bool ask_for_note(Ask ask);
  // Whether the thread has moved to another CPU than the program's.
  bool make_way();
  // Whether the program has come further since.
  bool look();
  bool advance(uintptr_t to);
  bool adopt(uintptr_t block);
  uintptr_t find_end_of(uintptr_t block) const;
  void set_end(uintptr_t end, uint32_t version);
  bool find_end();
  // Makes one step; false: there is nothing to be done.
  bool prepare();
  bool populate_but_last(uintptr_t from, uintptr_t to);
  bool huge_step();
  bool small_step(uintptr_t limit);
  // How far beyond the frontier, in bytes: at most a `share`-th of the heap.
  size_t lead(size_t share) const;
  bool has_room(uintptr_t to);

  // Relaxed: numbers that nothing else is found by; one that is out of date costs a step.
  std::atomic<uintptr_t> latest_{0};
  std::atomic<unsigned> program_cpu_{UINT_MAX};  // where latest_ was written
  // The mapping that grows: how far the program has come, how far it is prepared, and its end.
  alignas(core::kNoSharing) uintptr_t frontier_ = 0;
  uintptr_t prepared_ = 0;
  uintptr_t end_ = 0;
  bool is_just_adopted_ = false;
  bool may_be_huge_ = true;
  uint32_t version_ = 0;  // of the library's memory, as end_ was found
  heap::GrowthRate rate_{kMillisecondsAhead};
  UseEvidence use_;
  SpinBudget spins_;
  uintptr_t seen_ = 0;      // of latest_
  uint64_t asked_at_ = 0;   // ns
  uint64_t next_ask_ = 0;   // ns
  uint64_t next_huge_ = 0;  // ns: huge pages may be tried from then on
  uint64_t next_move_ = 0;  // ns
  uint64_t next_step_ = 0;  // ns: of a program that does not answer
  bool is_busy_ = true;     // the program allocated before the last one
  uint64_t now_ = 0;
  bool has_spun_ = false;  // since the step before
};

}  // namespace mmt::beside
