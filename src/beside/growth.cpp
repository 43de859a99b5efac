#include "beside/growth.h"

#include <sched.h>

#include <algorithm>
#include <utility>

#include <mmt/core/checked.h>
#include <mmt/sys/clock.h>
#include <mmt/sys/pages.h>
#include <mmt/sys/thread.h>

#include "beside/break_parts.h"
#include "beside/library_memory.h"
#include "beside/resident.h"
#include "interprocess/protocol_options.h"

namespace mmt::beside {

using backend::options;

namespace {

// Ahead of the program by less than this, it is about to fault in the page itself.
constexpr uintptr_t kMargin = uintptr_t{32} << 10;
// A library may use its newest piece from the end.
constexpr uintptr_t kFarMargin = uintptr_t{128} << 10;
// A step, which holds the map lock against the program's own calls.
constexpr uintptr_t kStep = uintptr_t{128} << 10;
// Steps differ in length, so that the pages they leave out lie anywhere in the program's blocks.
constexpr uintptr_t kShortest = uintptr_t{64} << 10;
// One in so many huge pages' places is prepared by small steps, which tell how the heap is used.
constexpr uintptr_t kHugeInARow = 16;
// What is prepared is at most such a share of the heap.
constexpr size_t kShare = 8;
constexpr size_t kHugeShare = 4;
// A huge page that takes longer costs more than the small pages that it stands for.
constexpr uint64_t kHugePriceLimitNs = 500'000;
// After one that was dear no other for so many times as long as it took; after one that was
// refused, for so long.
constexpr uint64_t kHugeTimes = 16;
constexpr uint64_t kHugeAgainNs = 100 * sys::kNanosAMilli;
// Another mapping lies further off.
constexpr uintptr_t kNextMapping = uintptr_t{8} << 20;
// Asking costs the program some tens of nanoseconds. A program that allocates has answered within
// the next, unless it waits; what it said long ago is out of date.
constexpr uint64_t kAskEveryNs = 10'000;
constexpr uint64_t kAnswerNs = 20'000;
constexpr uint64_t kFreshNs = 100'000;
// Where all CPUs are the program's, to move on is no gain.
constexpr uint64_t kMoveEveryNs = sys::kNanosAMilli;
// A program that does not answer may wait for the map lock, which readers take in front of waiting
// writers. The program gets so long between two steps.
constexpr uint64_t kGapNs = 100'000;
constexpr uint64_t kLongNs = sys::kNanosAMilli;
// Instead of spinning.
constexpr uint64_t kShortNapNs = 50'000;
// The nap beside a program that works, though its heap does not grow.
constexpr uint64_t kBusyNapNs = 25 * sys::kNanosAMilli;

size_t mebibytes(uint32_t count) { return size_t{count} << 20; }

bool is_for_small_steps(uintptr_t address) {
  return address / sys::kHugePageSize % kHugeInARow == 0;
}

// Where the system may not be asked, nothing is prepared.
bool is_touched(uintptr_t page) { return !sys::is_quiet() && is_resident(page); }

uint32_t version_now() { return library_memory_version() + break_version(); }

}  // namespace

uint64_t Growth::step(sync::Ladder& ladder, Ask ask) {
  const uint64_t before = std::exchange(now_, sys::monotonic_ns());
  if (std::exchange(has_spun_, false)) spins_.spun(now_ - before);
  bool has_grown = now_ - asked_at_ < kFreshNs && look();
  if (now_ >= next_ask_) {
    is_busy_ = ask_for_note(ask);
    next_ask_ = now_ + kAskEveryNs;
    has_grown |= look();
  }
  rate_.measure(now_);
  const bool may_prepare = is_answered() || now_ >= next_step_;
  const bool has_prepared = may_prepare && prepare();
  if (has_prepared) {
    const uint64_t end = sys::monotonic_ns();
    spins_.worked(end - now_);
    next_step_ = end + kGapNs;
  }
  // A heap that grows slowly is not worth to be waited for; how fast it does is not known at first.
  const bool is_fast = rate_.soon() >= kStep || is_just_adopted_;
  is_just_adopted_ = false;
  if (has_prepared || (has_grown && is_fast)) ladder.worked(now_);
  if (has_prepared) return 0;
  // As long as much is prepared, the program is left alone.
  const uint64_t enough_for = frontier_ < prepared_ ? rate_.time_for(prepared_ - frontier_) : 0;
  if (has_grown && enough_for > kLongNs) {
    next_ask_ = 0;
    return kLongNs / 4;
  }
  has_spun_ = ladder.idle(now_) == sync::Ladder::Step::kSpin && spins_.is_left();
  if (has_spun_) return 0;
  next_ask_ = 0;
  const uint64_t nap = std::max(static_cast<uint64_t>(ladder.nap_ns()), kShortNapNs);
  return is_busy_ ? std::min(nap, kBusyNapNs) : nap;
}

void Growth::answer(uintptr_t address) {
  const int cpu = ::sched_getcpu();
  if (cpu >= 0) program_cpu_.store(static_cast<unsigned>(cpu), std::memory_order_relaxed);
  latest_.store(address, std::memory_order_relaxed);
}

void Growth::forget() {
  frontier_ = prepared_ = end_ = seen_ = 0;
  use_.forget_pages();
}

// A program that allocates answers at once; what it said before is out of date.
bool Growth::ask_for_note(Ask ask) {
  const bool is_busy = latest_.exchange(0, std::memory_order_relaxed) != 0;
  asked_at_ = now_;
  ask();
  while (is_busy && !is_answered()) {
    core::cpu_relax();
    now_ = sys::monotonic_ns();
    if (now_ - asked_at_ <= kAnswerNs) continue;
    if (!make_way()) break;
    asked_at_ = now_ = sys::monotonic_ns();
  }
  return is_busy;
}

// On the program's CPU, the thread would wait for an answer that only its own end of waiting
// allows.
bool Growth::make_way() {
  if (now_ < next_move_) return false;
  next_move_ = now_ + kMoveEveryNs;
  return sys::leave_cpu(program_cpu_.load(std::memory_order_relaxed));
}

bool Growth::look() {
  const uintptr_t latest = latest_.load(std::memory_order_relaxed);
  if (latest == seen_ || latest == 0) return false;
  seen_ = latest;
  if (latest >= end_ && frontier_ != 0) find_end();
  if (frontier_ == 0 || latest + kNextMapping < frontier_ || latest >= end_) return adopt(latest);
  return latest > frontier_ && advance(latest);
}

// Where memory has been used before, the program goes through it again: that is no growth.
bool Growth::advance(uintptr_t to) {
  const bool is_new = to + kMargin <= prepared_ || !is_resident(to + kMargin);
  if (is_new) rate_.add(to - frontier_);
  frontier_ = to;
  use_.look(to, is_touched);
  return is_new;
}

// Another mapping than before, or more of it; not where the program has been already.
bool Growth::adopt(uintptr_t block) {
  if (is_resident(block + kMargin) && is_resident(block + kFarMargin)) return false;
  const uint32_t version = version_now();
  const uintptr_t end = find_end_of(block);
  if (end <= block) return false;
  const bool goes_on =
      frontier_ != 0 && block >= frontier_ && end >= end_ && block < end_ + kNextMapping;
  if (goes_on) {
    advance(block);
  } else {
    prepared_ = 0;
    frontier_ = block;
    use_.forget_pages();
  }
  set_end(end, version);
  is_just_adopted_ = true;
  return true;
}

// The library's own memory, and no further: what adjoins it may be the program's. 0: it is not
// known whose it is.
uintptr_t Growth::find_end_of(uintptr_t block) const {
  const uintptr_t end = end_of_break_at(block);
  return end != 0 ? end : end_of_library_memory(block);
}

// As found when that was the version.
void Growth::set_end(uintptr_t end, uint32_t version) {
  end_ = end;
  version_ = version;
}

bool Growth::find_end() {
  const uintptr_t before = end_;
  const uint32_t version = version_now();
  set_end(find_end_of(frontier_), version);
  return end_ > before;
}

bool Growth::prepare() {
  if (frontier_ == 0) return false;
  const BreakStep step;
  if (!step.may_go_on()) return false;
  if (version_now() != version_) find_end();
  const size_t huge_from = mebibytes(options.huge);
  if (!may_be_huge_ || huge_from == 0 || rate_.grown() < huge_from || now_ < next_huge_) {
    return small_step(UINTPTR_MAX);
  }
  if (huge_step()) return true;
  const uintptr_t at = std::max(frontier_, prepared_);
  const uintptr_t place = is_for_small_steps(at) ? at : frontier_;
  return small_step(core::align_up(place + 1, sys::kHugePageSize));
}

size_t Growth::lead(size_t share) const {
  return heap::GrowthRate::lead(rate_.soon(), {rate_.grown(), share, mebibytes(options.ahead)});
}

bool Growth::has_room(uintptr_t to) { return to <= end_ || (find_end() && to <= end_); }

// All but the last page, which tells later whether the program came there.
bool Growth::populate_but_last(uintptr_t from, uintptr_t to) {
  const uintptr_t last = to - sys::kPageSize;
  prepared_ = to;
  use_.watch(last);
  return sys::populate(reinterpret_cast<void*>(from), last - from);
}

bool Growth::huge_step() {
  constexpr uintptr_t kHuge = sys::kHugePageSize;
  const uintptr_t from = core::align_up(std::max(frontier_, prepared_), kHuge);
  if (!use_.is_dense() || is_for_small_steps(from) ||
      is_for_small_steps(std::max(frontier_, prepared_))) {
    return false;
  }
  if (from + kHuge > frontier_ + lead(kHugeShare) || !has_room(from + kHuge)) return false;
  const uint64_t before = sys::monotonic_ns();
  auto* const at = reinterpret_cast<void*>(from);
  const bool is_done = sys::prefer_huge_pages(at, kHuge) && sys::populate(at, kHuge);
  const uint64_t price = sys::monotonic_ns() - before;
  if (!is_done) {
    next_huge_ = now_ + kHugeAgainNs;
    return false;
  }
  if (price > kHugePriceLimitNs) next_huge_ = now_ + kHugeTimes * price;
  prepared_ = from + kHuge;
  return true;
}

bool Growth::small_step(uintptr_t limit) {
  const uintptr_t from = core::align_up(std::max(frontier_ + kMargin, prepared_), sys::kPageSize);
  const uintptr_t end = frontier_ + lead(kShare);
  // As good as any random number.
  const uintptr_t less = now_ / 64 * sys::kPageSize % (kStep - kShortest);
  const uintptr_t to =
      core::align_down(std::min({end, from + kStep - less, limit}), sys::kPageSize);
  if (to < from + kStep / 4 || !has_room(to)) return false;
  if (!use_.is_dense()) {
    // Nothing is prepared, but whether that goes on has to be known.
    prepared_ = to;
    use_.watch(to - sys::kPageSize);
    return false;
  }
  if (!populate_but_last(from, to)) forget();
  return frontier_ != 0;
}

}  // namespace mmt::beside
