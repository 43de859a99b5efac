#include "tracing/recording.h"

#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <stdexcept>

#include <fmt/format.h>

#include <mmt/core/compiler.h>

#include "command/failure.h"
#include "programs/supervise.h"
#include "tracing/priority.h"
#include "tracing/running.h"
#include "tracing/trace_files.h"

namespace mmt::tracing {

using command::Failure;
using command::kRunFailed;
using programs::own_children;

namespace {

constexpr std::uint64_t kMilli = 1'000'000;
// How long it looks away depends on what it found. A pause is not so long that 64 MiB could be
// full, nor that what was recorded first has left the caches. It is not so short that it takes a
// core from the program.
constexpr std::uint64_t kShortestPause = 2 * kMilli;
constexpr std::uint64_t kLongestPause = 20 * kMilli;
constexpr std::size_t kFewRecords = 1 << 13;
constexpr std::size_t kManyRecords = 1 << 16;
// Signals to the program wait so long at most.
constexpr std::uint64_t kLongestReading = 20 * kMilli;
constexpr std::uint64_t kHousekeeping = 20 * kMilli;
// A stamp is merged when it is so old: whatever was recorded before it can be seen by then. Far
// more than a store waits in its CPU, and than counters of CPUs differ.
constexpr std::uint64_t kSettledTicks = 1 << 18;
// No stamp is so far ahead, seconds at least.
constexpr std::uint64_t kLateTicks = std::uint64_t{1} << 35;

std::uint64_t monotonic_ns() {
  return static_cast<std::uint64_t>(
      std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count());
}

}  // namespace

Recording::Recording(const std::string& output, const RecordingLimits& limits, bool has_sites,
                     bool first_only)
    : output_(output),
      limits_(limits),
      first_only_(first_only),
      socket_(has_sites),
      own_pid_space_(own_pid_space()),
      earlier_children_(own_children()),
      start_ns_(monotonic_ns()) {
  if (limits_.held_bytes == 0) limits_.held_bytes = own_bound();
  check_trace_output(output);
  timer_ = ::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
  news_ = ::epoll_create1(EPOLL_CLOEXEC);
  for (const int one : {timer_, socket_.news()}) {
    epoll_event event{};
    event.events = EPOLLIN;
    if (one >= 0 && news_ >= 0 && ::epoll_ctl(news_, EPOLL_CTL_ADD, one, &event) == 0) continue;
    throw Failure(kRunFailed, fmt::format("cannot wait for records: {}", std::strerror(errno)));
  }
  arm(kShortestPause);
}

Recording::~Recording() {
  for (const int one : {timer_, news_}) {
    if (one >= 0) ::close(one);
  }
}

void Recording::arm(std::uint64_t ns) {
  pause_ns_ = ns;
  const itimerspec once{{0, 0}, {0, static_cast<long>(ns)}};
  ::timerfd_settime(timer_, 0, &once, nullptr);
}

void Recording::read_on() {
  std::uint64_t expired = 0;
  const bool is_due = ::read(timer_, &expired, sizeof expired) > 0;
  now_ns_ = monotonic_ns();
  const bool has_all = take_pools(kMostNews);
  if (!is_due && has_all) return;
  priority_.let_others_first();  // the program has been started before
  priority_.set_urgent(is_urgent());
  const std::uint64_t start = monotonic_ns();
  std::size_t found = 0;
  std::size_t last = 0;
  do {
    last = round(false);
    found += last;
  } while ((last >= kMostAtOnce || (last != 0 && left_objects_ > kMostLeft)) &&
           now_ns_ < start + kLongestReading);
  if (is_stopped_) {
    finish_files();
  } else if (last >= kMostAtOnce) {
    arm(kShortestPause);  // there is more
  } else if (found < kFewRecords) {
    arm(std::min(2 * pause_ns_, kLongestPause));
  } else {
    arm(found > kManyRecords ? std::max(pause_ns_ / 2, kShortestPause) : pause_ns_);
  }
}

void Recording::end_pools() {
  for (auto& [number, source] : sources_) source.pool->end();
}

void Recording::stop() {
  is_stopped_ = true;
  end_pools();
}

void Recording::finish() {
  priority_.set_urgent(true);  // nobody is left to yield to
  if (!is_stopped_) {
    now_ns_ = monotonic_ns();  // chunks of a program that was over before the first look
    take_pools(16 * kMostNews);
    adopt_chunks();
    still_running_ = count_running();
    socket_.hide();
    end_pools();
    is_last_ = true;
    do {
      while (round(true) != 0) {
      }
    } while (wait_for_less());
  }
  finish_files();
}

void Recording::finish_files() {
  if (is_finished_) return;
  is_finished_ = true;
  stop();
  for (auto& [number, process] : processes_) end_process(process);
  processes_.clear();
  drop_idle_sources();
  // A process that began too late is told that all is over.
  socket_.hide();
  take_pools(16 * kMostNews);
  try {
    finish_trace_files(output_, {done_, failed_, unrecorded()});
  } catch (const std::runtime_error& error) {
    if (error_.empty()) error_ = error.what();
  }
}

std::size_t Recording::round(bool is_last) {
  now_ns_ = monotonic_ns();
  if (!is_last) take_pools(kMostNews);
  for (auto& [number, source] : sources_) source.pool->beat();
  if (is_stopped_) return 0;
  // Before the chunks are looked at: what is older is in them.
  const std::uint64_t now = core::ticks_before();
  const std::uint64_t until = is_last ? UINT64_MAX : now - kSettledTicks;
  latest_stamp_ = now + kLateTicks;
  std::size_t found = 0;
  try {
    adopt_chunks();
    // All that it has left is adopted by what follows.
    if (look_for_ends(is_last)) adopt_chunks();
    if (!is_last) bound_pending();
    for (auto at = processes_.begin(); at != processes_.end();) {
      Process& process = at->second;
      if (is_stopped_) return 0;
      found += read_if_it_may(process, until, is_last);
      const bool is_done_now = is_done(process);
      if (is_done_now) end_process(process);
      at = is_done_now ? processes_.erase(at) : std::next(at);
    }
    drop_idle_sources();
    const bool is_late =
        limits_.seconds > 0 && static_cast<double>(now_ns_ - start_ns_) > 1e9 * limits_.seconds;
    if (is_late) stop();
    if (!is_stopped_ && !is_last && now_ns_ - housed_ns_ > kHousekeeping) keep_house();
  } catch (const std::runtime_error& error) {
    if (error_.empty()) error_ = error.what();
    stop();
  }
  return found;
}

std::size_t Recording::read_if_it_may(Process& process, std::uint64_t until, bool is_last) {
  if (process.is_over) return 0;
  pool_of(process).beat();
  std::size_t records = 0;
  try {
    if (may_read(process, is_last)) records = read(process, until);
    check_live(process);
  } catch (const PoolFault& fault) {
    fail(process.source, fault.what());
    return records;
  }
  if (records != 0) {
    account(process);
    bound_held();
  }
  if (process.is_read) process.read_ns = now_ns_;
  if (records != 0) process.last_ns = now_ns_;
  return records;
}

std::size_t Recording::count_running() {
  // Orphans may not have told of themselves yet.
  std::set<pid_t> near;
  if (!first_only_) near = own_children();
  for (const pid_t one : earlier_children_) near.erase(one);
  std::set<std::pair<std::uint64_t, pid_t>> below;
  for (const auto& [number, process] : processes_) {
    if (process.near_id != 0) {
      near.insert(process.near_id);
    } else {
      below.emplace(process.pid_space, process.trace->process());
    }
  }
  std::erase_if(near, [](pid_t one) { return !is_running(one); });
  if (below.empty()) return near.size();
  below_.look();
  std::erase_if(below, [&](const auto& one) { return !below_.contains(one.first, one.second); });
  return near.size() + below.size();
}

bool Recording::wait_for_less() {
  bool has_skipped = false;
  for (const auto& [number, process] : processes_) {
    for (const auto& thread : process.threads) {
      if (process.is_over || !thread->is_missing_chunk()) continue;
      thread->skip_missing_chunk();
      has_skipped = true;
    }
  }
  if (has_skipped) return true;
  // One at a time: others may wait for what it is about to tell, and began after it.
  for (auto& [number, process] : processes_) {
    if (process.awaited_fork == 0) continue;
    process.awaited_fork = 0;
    return true;
  }
  return false;
}

void Recording::check_stamp(std::uint64_t stamp) const {
  if (MMT_LIKELY(stamp <= latest_stamp_)) return;
  // This process may have stood still meanwhile.
  if (stamp > core::ticks_before() + kLateTicks) throw PoolFault("a time to come");
}

void Recording::open_file(Process& process) {
  ProcessTrace& trace = *process.trace;
  const pid_t id = trace.process();
  const bool is_first = images_.empty();
  const std::string path =
      is_first ? output_ : trace_file_of(output_, static_cast<int>(id), images_[id]);
  ++images_[id];
  trace.open(path, {.program = process.command.empty() ? trace.name() : process.command,
                    .source = "mmt trace",
                    .start_ns = process.start_epoch_ns,
                    .process = static_cast<std::uint32_t>(id)});
}

}  // namespace mmt::tracing
