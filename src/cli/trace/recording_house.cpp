// What is done now and then: chunks, threads and processes that have ended are given back.
#include <sys/syscall.h>

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include <mmt/sys/syscall.h>

#include "cli/trace/recording.h"
#include "cli/trace/running.h"

namespace mmt::cli {
namespace {

using trace::Seen;

// A thread that says that it ends still frees what libc keeps for it.
constexpr std::uint64_t kEndingFor = 50'000'000;
// A process that does nothing is looked at ever less often, whether it has ended.
constexpr std::uint64_t kShortestQuiet = 20'000'000;
constexpr std::uint64_t kQuietFor = 1'000'000'000;
constexpr std::uint64_t kLookBelow = 1'000'000'000;
constexpr std::uint64_t kLookForOthers = 200'000'000;
// What a fork has left is kept so long, as long as it is so many objects: its child may have been
// stopped before it could tell of itself, or may never have come to be.
constexpr std::uint64_t kLeftFor = 10'000'000'000;

}  // namespace

bool Recording::has_gone(Process& process) {
  if (process.is_superseded) return true;
  const std::uint64_t quiet = now_ns_ - process.last_ns;
  const pid_t id = process.trace->process();
  if (process.pid_space == own_pid_space_) {
    if (quiet < kShortestQuiet || now_ns_ < process.look_ns) return false;
    process.look_ns = now_ns_ + std::clamp(quiet / 2, kShortestQuiet, kQuietFor);
    return !is_running(id);
  }
  if (quiet <= kQuietFor) return false;
  if (now_ns_ - looked_below_ns_ > kLookBelow) {
    looked_below_ns_ = now_ns_;
    below_.look();
  }
  return process.last_ns < looked_below_ns_ && !below_.contains(process.pid_space, id);
}

void Recording::keep_house() {
  housed_ns_ = now_ns_;
  keep_chunks();
  end_standstill();
  if (is_stopped_) return;
  keep_inheritances();
  if (pool_.pool().first_only == 0 && now_ns_ - looked_for_others_ns_ > kLookForOthers) {
    looked_for_others_ns_ = now_ns_;
    unrecorded_.look(earlier_children_);
  }
  for (auto at = processes_.begin(); at != processes_.end();) {
    Process& process = at->second;
    for (const auto& thread : process.threads) {
      if (thread->is_missing_chunk() && now_ns_ - process.last_ns > kMissingFor) {
        thread->skip_missing_chunk();
      }
    }
    end_threads(process);
    if (is_done(process)) {
      end_process(process);
      at = processes_.erase(at);
    } else {
      // What it has left at last is seen by the next look.
      process.has_gone = process.has_gone || has_gone(process);
      ++at;
    }
  }
}

bool Recording::is_done(Process& process) {
  Seen record;
  return process.has_gone && process.awaited_fork == 0 &&
         std::none_of(process.threads.begin(), process.threads.end(), [&](const auto& thread) {
           return thread->is_missing_chunk() || thread->front(record);
         });
}

// A child that has ended already need not wait for a look: many may be read in one round, and each
// has all that it inherits.
bool Recording::look_for_ends(bool is_of_all) {
  bool has_any = false;
  for (auto& [number, process] : processes_) {
    if (process.has_gone || (process.has_begun && !is_of_all)) continue;
    const bool is_near = process.pid_space == own_pid_space_;
    process.has_gone = process.is_superseded || (is_near && !is_running(process.trace->process()));
    has_any = has_any || process.has_gone;
  }
  return has_any;
}

// The latest forks' are the last that go.
void Recording::keep_inheritances() {
  for (auto at = left_.begin(); at != left_.end() && left_objects_ > kMostLeft;) {
    const auto left = at++;
    if (now_ns_ - left->second.ns > kLeftFor) forget(left);
  }
}

std::size_t Recording::free_chunks() const {
  std::size_t free = 0;
  for (const auto& word : pool_.pool().free) {
    free += static_cast<std::size_t>(__builtin_popcountll(word.load(std::memory_order_relaxed)));
  }
  return free;
}

// Threads hold a chunk each, which is not pending.
std::size_t Recording::held_chunks() const {
  std::size_t held = 0;
  for (const auto& [number, process] : processes_) held += process.threads.size();
  return held;
}

void Recording::end_standstill() {
  const trace::Pool& pool = pool_.pool();
  // Who cannot reach what is free waits all the same.
  const std::size_t free = pool.out_of_reach.load() == 0 ? free_chunks() : 0;
  if (!standstill_.look(now_ns_, free, pool_.given(), pool.looks.load())) return;
  error_ = fmt::format(
      "the recording ends before the program, which else would wait for ever: its {} threads hold "
      "all that there is to record in, {} KiB each, which is {}",
      held_chunks(), trace::kChunkBytes >> 10, pool_.limit());
  stop();
}

void Recording::keep_chunks() {
  if (free_chunks() > pool_.chunks() / 4) return;
  if (2 * held_chunks() > pool_.chunks()) pool_.grow();
  for (const auto& [number, process] : processes_) {
    for (const auto& thread : process.threads) thread->forget_gaps();
  }
}

void Recording::end_threads(Process& process) {
  // In another namespace, ids of threads say nothing. A thread may come back there.
  const bool is_near = process.pid_space != 0 && process.pid_space == own_pid_space_;
  std::erase_if(process.threads, [&](const std::unique_ptr<ThreadRecords>& thread) {
    if (!thread->is_ending || now_ns_ - thread->ending_ns <= kEndingFor) return false;
    Seen record;
    if (is_near && sys::raw_syscall(SYS_tgkill, process.trace->process(),
                                    static_cast<long>(thread->thread_id()), 0) != -ESRCH) {
      return false;
    }
    if (thread->front(record) || (!is_near && !thread->is_empty())) return false;
    process.trace->end_thread(thread->state(), now_ns_ - process.start_ns);
    thread->give_all();
    if (!is_near) process.ended_threads[thread->number()] = thread->sequence();
    threads_.erase(thread->number());
    return true;
  });
}

void Recording::end_process(Process& process) {
  ProcessTrace& trace = *process.trace;
  for (const auto& thread : process.threads) {
    if (thread->is_ending) trace.end_thread(thread->state(), now_ns_ - process.start_ns);
  }
  if (trace.has_file()) trace.finish();
  for (const auto& thread : process.threads) {
    thread->give_all();
    threads_.erase(thread->number());
  }
  process.threads.clear();
  counts_.unknown += trace.counts().unknown;
  counts_.unfreed += trace.counts().unfreed;
  if (!trace.has_file()) return;
  if (error_.empty()) error_ = trace.failure();
  auto& list = trace.failure().empty() ? done_ : failed_;
  list.push_back({.path = trace.path(),
                  .program = trace.program(),
                  .process = trace.process(),
                  .parent = trace.parent(),
                  .events = trace.events(),
                  .objects = trace.objects(),
                  .bytes = trace.bytes(),
                  .threads = trace.threads(),
                  .failure = trace.failure()});
}

}  // namespace mmt::cli
