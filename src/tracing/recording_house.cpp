// What is done now and then: chunks, threads and processes that have ended are given back.
#include <sys/syscall.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include <mmt/sys/syscall.h>

#include "tracing/recording.h"
#include "tracing/running.h"

namespace mmt::tracing {
namespace {

using trace::Seen;

// A thread that says that it ends still frees what libc keeps for it.
constexpr std::uint64_t kEndingFor = 50'000'000;
// A process that does nothing is looked at ever less often, whether it has ended.
constexpr std::uint64_t kShortestQuiet = 20'000'000;
constexpr std::uint64_t kQuietFor = 1'000'000'000;
constexpr std::uint64_t kLookBelow = 1'000'000'000;
constexpr std::uint64_t kLookForOthers = 200'000'000;
// What a fork has left is kept at least so long where there are many objects. Its child may have
// been stopped before it could tell of itself, or may never have come to be.
constexpr std::uint64_t kLeftFor = 10'000'000'000;
// Threads of other namespaces that may come back: the last to begin do.
constexpr std::size_t kMostEnded = std::size_t{1} << 20;

}  // namespace

bool Recording::has_gone(Process& process) {
  if (process.is_superseded) return true;
  const std::uint64_t quiet = now_ns_ - process.last_ns;
  if (process.near_id != 0) {
    if (quiet < kShortestQuiet || now_ns_ < process.look_ns) return false;
    process.look_ns = now_ns_ + std::clamp(quiet / 2, kShortestQuiet, kQuietFor);
    return !is_running(process.near_id);
  }
  if (quiet <= kQuietFor) return false;
  if (now_ns_ - looked_below_ns_ > kLookBelow) {
    looked_below_ns_ = now_ns_;
    below_.look();
  }
  return process.last_ns < looked_below_ns_ &&
         !below_.contains(process.pid_space, process.trace->process());
}

void Recording::keep_house() {
  housed_ns_ = now_ns_;
  for (auto& [number, source] : sources_) keep_chunks(source);
  end_standstills();
  trim_pools();
  keep_inheritances();
  if (!first_only_ && now_ns_ - looked_for_others_ns_ > kLookForOthers) {
    looked_for_others_ns_ = now_ns_;
    unrecorded_.look(earlier_children_);
  }
  for (auto at = processes_.begin(); at != processes_.end();) {
    Process& process = at->second;
    if (process.is_over) {
      ++at;
      continue;
    }
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
  if (process.is_over) return true;
  Seen record;
  return process.has_gone && process.awaited_fork == 0 &&
         std::none_of(process.threads.begin(), process.threads.end(), [&](const auto& thread) {
           return thread->is_missing_chunk() || thread->front(record);
         });
}

// A child that has ended already need not wait for a look. Many may be read in one round, and each
// has all that it inherits.
bool Recording::look_for_ends(bool is_of_all) {
  bool has_any = false;
  for (auto& [number, process] : processes_) {
    if (process.has_gone || (process.has_begun && !is_of_all)) continue;
    process.has_gone =
        process.is_superseded || (process.near_id != 0 && !is_running(process.near_id));
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

// Threads hold a chunk each, which is not pending.
std::size_t Recording::held_chunks(const Source& source) const { return source.threads.size(); }

void Recording::end_standstills() {
  for (auto& [number, source] : sources_) {
    const PoolFile& pool = *source.pool;
    const std::uint64_t looks = pool.pool().looks.load();
    // What is withheld comes back as others' records are read.
    const std::size_t coming = pool.is_withheld() ? 1 : 0;
    if (source.processes.empty() ||
        !source.standstill.look(now_ns_, pool.free_chunks() + coming, pool.given(), looks)) {
      continue;
    }
    const bool is_limited = pool.most_chunks() < trace::kMostChunks;
    end_reading(
        number,
        fmt::format("the recording of {} ends before the program, which else would "
                    "wait for ever: its {} threads hold all that there is to record in, {} "
                    "KiB each, which is {} MiB{}",
                    name_of_owner(source), held_chunks(source), trace::kChunkBytes >> 10,
                    pool.chunks() * trace::kChunkBytes >> 20, is_limited ? " (ulimit -f)" : ""));
  }
}

void Recording::keep_chunks(Source& source) {
  PoolFile& pool = *source.pool;
  if (pool.is_withheld() || pool.free_chunks() > pool.chunks() / 4) return;
  constexpr std::size_t kStep = trace::kPendingChunks / 8;
  if (2 * held_chunks(source) > pool.chunks()) pool.grow(kStep);
  for (const auto& [there, number] : source.processes) {
    const auto process = processes_.find(number);
    if (process == processes_.end()) continue;
    for (const auto& thread : process->second.threads) thread->forget_gaps();
  }
}

void Recording::remember_end(Process& process, const ThreadRecords& thread) {
  if (process.ended_threads.size() >= kMostEnded) {
    process.ended_threads.erase(process.ended_threads.begin());
  }
  process.ended_threads[thread.number()] = thread.sequence();
}

void Recording::end_threads(Process& process) {
  // In another namespace, ids of threads say nothing. A thread may come back there.
  const bool is_near = process.pid_space != 0 && process.pid_space == own_pid_space_;
  std::erase_if(process.threads, [&](const std::unique_ptr<ThreadRecords>& thread) {
    if (!thread->is_ending || now_ns_ - thread->ending_ns <= kEndingFor) return false;
    Seen record;
    if (is_near && sys::raw_syscall(SYS_tgkill, process.near_id,
                                    static_cast<long>(thread->thread_id()), 0) != -ESRCH) {
      return false;
    }
    if (thread->front(record) || (!is_near && !thread->is_empty())) return false;
    process.trace->end_thread(thread->state(), now_ns_ - process.start_ns);
    thread->give_all();
    if (!is_near) remember_end(process, *thread);
    sources_.at(process.source).threads.erase(thread->number());
    return true;
  });
}

void Recording::end_process(Process& process) {
  ProcessTrace& trace = *process.trace;
  for (const auto& thread : process.threads) {
    if (thread->is_ending) trace.end_thread(thread->state(), now_ns_ - process.start_ns);
  }
  if (trace.has_file()) trace.finish();
  Source& source = sources_.at(process.source);
  --source.users;
  for (const auto& thread : process.threads) {
    thread->give_all();
    source.threads.erase(thread->number());
  }
  process.threads.clear();
  held_bytes_ -= std::exchange(process.held_bytes, 0);
  counts_.unknown += trace.counts().unknown;
  counts_.unfreed += trace.counts().unfreed;
  if (!trace.has_file() || trace.path().empty()) return;
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

}  // namespace mmt::tracing
