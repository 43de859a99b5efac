#include "agnostic/recycling/growth.h"

#include <unistd.h>

#include <algorithm>

#include <mmt/core/checked.h>
#include <mmt/sync/ladder.h>
#include <mmt/sys/clock.h>
#include <mmt/sys/cpus.h>
#include <mmt/sys/pages.h>

#include "agnostic/recycling/mapping.h"

namespace mmt::agnostic {
namespace {

// Ahead of the program by less than this, it is about to fault in the page itself.
constexpr uintptr_t kMargin = uintptr_t{32} << 10;
// A step, which holds the map lock against the program's own calls.
constexpr uintptr_t kStep = uintptr_t{128} << 10;
// What is prepared is at most this, and a share of what the heap has grown by.
constexpr uintptr_t kMostAhead = uintptr_t{8} << 20;
constexpr uintptr_t kShare = 8;
constexpr uint64_t kEndLookNs = 100'000;
constexpr uint32_t kAskEvery = 64;  // looks

}  // namespace

void Growth::start(Ask ask) {
  if (thread_.id() != 0 || sys::affinity_cpus() < 2) return;
  ask_ = ask;
  thread_.start(main, this);
}

void Growth::reset_in_child() {
  thread_.reset_in_child();
  forget();
}

// The next block begins anew.
void Growth::forget() {
  begin_ = frontier_ = prepared_ = end_ = seen_ = 0;
  is_break_ = false;
}

void Growth::main(void* self) {
  sys::set_thread_name("mmt-growth");
  static_cast<Growth*>(self)->run();
}

void Growth::run() {
  sync::Ladder ladder;
  ladder.set_limits({200'000, 50'000, 100'000'000, UINT64_MAX});
  ladder.worked(sys::monotonic_ns());
  for (uint32_t looks = 0;; ++looks) {
    now_ = sys::monotonic_ns();
    if (looks % kAskEvery == 0) ask_(now_);
    const bool has_grown = look();
    if (prepare() || has_grown) {
      ladder.worked(now_);
      continue;
    }
    if (ladder.idle(now_) == sync::Ladder::Step::kSpin) {
      core::cpu_relax();
      continue;
    }
    ask_(now_);
    sys::sleep_ns(static_cast<uint64_t>(ladder.nap_ns()));
    looks = 0;
  }
}

bool Growth::look() {
  const uintptr_t latest = latest_.load(std::memory_order_relaxed);
  if (latest == seen_ || latest == 0) return false;
  seen_ = latest;
  if (is_break_ && latest >= end_) find_end();
  if (latest < begin_ || latest >= end_) return adopt(latest);
  if (latest <= frontier_) return false;
  frontier_ = latest;
  return true;
}

// Another mapping than before, or more of it.
bool Growth::adopt(uintptr_t block) {
  if (now_ < next_end_look_) {
    seen_ = 0;  // later
    return false;
  }
  next_end_look_ = now_ + kEndLookNs;
  const uintptr_t end = end_of_mapping(block);
  if (end == 0) return false;
  const bool goes_on = begin_ != 0 && block >= begin_ && end >= end_ && block < end_ + kMostAhead;
  if (!goes_on) {
    begin_ = block;
    prepared_ = 0;
  }
  frontier_ = block;
  end_ = end;
  is_break_ = end == core::align_up(reinterpret_cast<uintptr_t>(::sbrk(0)), sys::kPageSize);
  return true;
}

bool Growth::find_end() {
  if (is_break_) {
    const auto end = reinterpret_cast<uintptr_t>(::sbrk(0));
    if (end <= end_) return false;
    end_ = end;
    return true;
  }
  if (now_ < next_end_look_) return false;
  next_end_look_ = now_ + kEndLookNs;
  const uintptr_t end = end_of_mapping(frontier_);
  if (end <= end_) return false;
  end_ = end;
  return true;
}

bool Growth::prepare() {
  if (begin_ == 0) return false;
  const uintptr_t ahead = std::min((frontier_ - begin_) / kShare, kMostAhead);
  const uintptr_t from = core::align_up(std::max(frontier_ + kMargin, prepared_), sys::kPageSize);
  const uintptr_t to = core::align_down(std::min(frontier_ + ahead, from + kStep), sys::kPageSize);
  if (to < from + kStep / 4) return false;
  if (to > end_ && (!find_end() || to > end_)) return false;
  if (!sys::populate(reinterpret_cast<void*>(from), to - from)) {
    forget();
    return false;
  }
  prepared_ = to;
  return true;
}

}  // namespace mmt::agnostic
