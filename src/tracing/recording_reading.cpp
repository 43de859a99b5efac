// Merging the records of a process's threads, and what each asks for.
#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <queue>

#include <fmt/format.h>

#include <mmt/core/compiler.h>

#include "tracing/recording.h"

namespace mmt::tracing {
namespace {

using trace::RecordKind;
using trace::Seen;

// A round reads what is older than that, at least.
constexpr std::uint64_t kSettledNs = 1'000'000;
// Its parent is read by then, or never.
constexpr std::uint64_t kToldFor = 20'000'000'000;
constexpr unsigned kMostAlignment = 47;  // log2
constexpr std::size_t kAhead = 6;        // records whose objects are asked for early

std::string text_in(const Seen& record) {
  const char* const text = reinterpret_cast<const char*>(&record.bytes);
  return {text, ::strnlen(text, trace::kTextBytes)};
}

// Whether a record that makes an event is possible.
bool is_possible(const Seen& record) {
  return (record.address() != 0 || record.kind() == RecordKind::kResizeEnd) &&
         trace::Record::alignment_of(record.what) <= kMostAlignment;
}

}  // namespace

// Whether its fork, if it was recorded, has been read. Its parent has begun before it.
bool Recording::is_told_of(const Process& process) const {
  if (now_ns_ - process.start_ns < kMissingFor) return false;
  if (now_ns_ - process.start_ns > kToldFor) return true;
  return std::all_of(
      processes_.begin(), processes_.find(process.trace->number()),
      [&](const auto& one) { return one.second.read_ns > process.start_ns + kSettledNs; });
}

// A child waits for what its parent leaves it, however much there is to read before.
bool Recording::may_read(Process& process, bool is_last) {
  process.is_read = false;
  if (process.awaited_fork == 0) return true;
  const auto left = left_.find(process.awaited_fork);
  if (left != left_.end()) {
    process.trace->inherit(left->second.inheritance);
    process.command = left->second.inheritance->program;
    forget(left);
  } else if (is_last || !is_told_of(process)) {
    return false;
  }
  process.awaited_fork = 0;
  return true;
}

MMT_ALWAYS_INLINE void Recording::take(Process& process, ThreadRecords& thread,
                                       const Seen& record) {
  if (MMT_UNLIKELY(!ProcessTrace::is_event(record.kind()))) {
    take_other(process, thread, record);
    return;
  }
  if (MMT_UNLIKELY(!is_possible(record))) {
    throw PoolFault(fmt::format("an event of kind {} at {:#x}",
                                static_cast<unsigned>(record.kind()), record.address()));
  }
  ProcessTrace& trace = *process.trace;
  if (MMT_UNLIKELY(!trace.has_file())) open_file(process);
  const std::uint64_t before = limits_.events != 0 ? trace.events() : 0;
  trace.apply(thread.state(), record, now_ns_ - process.start_ns);
  if (MMT_LIKELY(limits_.events == 0)) return;
  seen_events_ += trace.events() - before;
  if (seen_events_ >= limits_.events) stop();
}

std::size_t Recording::read(Process& process, std::uint64_t until) {
  is_laden_ = false;
  std::size_t late = 0;
  for (const auto& thread : process.threads) {
    if (!thread->has_gaps()) continue;
    for (const Seen& record : thread->filled_late()) {
      take(process, *thread, record);
      ++late;
    }
  }
  if (process.threads.size() == 1 && process.threads.front()->last_stamp == 0) {
    ThreadRecords& thread = *process.threads.front();
    const std::size_t count = read_one_thread(process, thread);
    Seen record;
    process.is_read = !thread.is_missing_chunk() && !thread.front(record);
    return late + count;
  }
  const std::size_t count = read_threads(process, until);
  process.is_read = count < kMostAtOnce && !is_laden_ &&
                    std::none_of(process.threads.begin(), process.threads.end(),
                                 [](const auto& one) { return one->is_missing_chunk(); });
  return late + count;
}

std::size_t Recording::read_one_thread(Process& process, ThreadRecords& thread) {
  std::size_t count = 0;
  Seen record;
  while (thread.front(record)) {
    // The first stamp tells of another thread, whose chunk may not be known yet.
    if (thread.stamp_of(record) != 0) break;
    process.trace->prefetch(thread.address_ahead(kAhead));
    take(process, thread, record);
    thread.pop();
    ++count;
    if (is_stopped_ || is_laden_ || process.awaited_fork != 0 || count == kMostAtOnce) break;
  }
  return count;
}

std::size_t Recording::read_threads(Process& process, std::uint64_t until) {
  struct Next {
    std::uint64_t stamp;
    ThreadRecords* thread;
    bool operator<(const Next& other) const { return stamp > other.stamp; }
  };
  std::priority_queue<Next> nexts;
  const auto look_at = [&](ThreadRecords& thread) {
    Seen record;
    if (!thread.front(record)) return;
    const std::uint64_t stamp = thread.stamp_of(record);
    check_stamp(stamp);
    if (stamp <= until) nexts.push({stamp, &thread});
  };
  for (const auto& thread : process.threads) look_at(*thread);
  std::size_t count = 0;
  while (!nexts.empty()) {
    ThreadRecords& thread = *nexts.top().thread;
    nexts.pop();
    // As long as it is the first of all.
    Seen record;
    thread.front(record);
    while (true) {
      take(process, thread, record);
      thread.pop();
      ++count;
      if (is_stopped_ || is_laden_ || process.awaited_fork != 0 || count == kMostAtOnce) {
        return count;
      }
      if (!thread.front(record)) break;
      const std::uint64_t stamp = thread.stamp_of(record);
      check_stamp(stamp);
      if (stamp > until) break;
      if (!nexts.empty() && stamp > nexts.top().stamp) {
        nexts.push({stamp, &thread});
        break;
      }
    }
  }
  return count;
}

void Recording::leave(Process& process, std::uint64_t token) {
  const auto [at, is_new] = left_.try_emplace(token);
  if (!is_new) return;
  sources_.at(process.source).fork_ns = now_ns_;
  process.forks.push_back(token);
  if (process.forks.size() > kMostForks) {
    if (const auto first = left_.find(process.forks.front()); first != left_.end()) forget(first);
    process.forks.pop_front();
  }
  auto inheritance = process.trace->bequeath(process.command);
  // Else the process has kept it, or a fork before has left it, too.
  const std::size_t own = inheritance->objects.use_count() <= 2 ? inheritance->objects->size() : 0;
  at->second = {std::move(inheritance), now_ns_, 1 + own};
  left_objects_ += at->second.objects;
  // Not many copies of much in one round.
  is_laden_ = own > kMostAtOnce || is_full() || (left_objects_ > kMostLeft && is_laden(process));
}

void Recording::forget(std::map<std::uint64_t, Left>::iterator left) {
  left_objects_ -= left->second.objects;
  left_.erase(left);
}

bool Recording::is_laden(const Process& process) const {
  return std::any_of(processes_.upper_bound(process.trace->number()), processes_.end(),
                     [&](const auto& one) {
                       return !one.second.has_begun || left_.contains(one.second.awaited_fork);
                     });
}

void Recording::take_arguments(Process& process, const std::string& part) {
  if (process.arguments.size() < kMostArguments) process.arguments += part;
  if (!part.empty()) return;
  while (process.arguments.ends_with(' ')) process.arguments.pop_back();
  if (!process.arguments.empty()) process.command = process.arguments;
}

void Recording::take_other(Process& process, ThreadRecords& thread, const Seen& record) {
  const RecordKind kind = record.kind();
  if (kind == RecordKind::kFork) {
    leave(process, record.bytes);
  } else if (kind == RecordKind::kProcess) {
    if (process.has_begun) throw PoolFault("a second beginning");
    process.has_begun = true;
    process.awaited_fork = record.bytes;
    may_read(process, false);
  } else if (kind == RecordKind::kName) {
    process.trace->set_name(text_in(record));
  } else if (kind == RecordKind::kParent) {
    const auto parent = static_cast<pid_t>(record.bytes);
    if (process.pid_space != own_pid_space_ || parent != ::getpid()) {
      process.trace->set_parent(parent);
    }
  } else if (kind == RecordKind::kArguments) {
    take_arguments(process, text_in(record));
  } else if (kind == RecordKind::kModule) {
    process.trace->sites().add_module(record.address(), record.bytes, record.stamp);
  } else if (kind == RecordKind::kText) {
    process.trace->sites().add_path(text_in(record));
  } else if (kind == RecordKind::kThreadEnd) {
    thread.is_ending = true;
    thread.ending_ns = now_ns_;
  } else {
    throw PoolFault(fmt::format("a record of kind {}", static_cast<unsigned>(kind)));
  }
}

}  // namespace mmt::tracing
