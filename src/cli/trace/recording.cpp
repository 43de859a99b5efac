#include "cli/trace/recording.h"

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

#include "cli/failure.h"
#include "cli/stats/supervise.h"
#include "cli/trace/priority.h"
#include "cli/trace/running.h"
#include "cli/trace/trace_files.h"

namespace mmt::cli {
namespace {

using trace::ChunkHead;

constexpr std::uint64_t kMilli = 1'000'000;
// How long it looks away, by what it found: not so long that 64 MiB could be full, nor that what
// was recorded first has left the caches; not so short that it takes a core from the program.
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

std::uint64_t monotonic_ns() {
  return static_cast<std::uint64_t>(
      std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count());
}

std::uint64_t epoch_ns() {
  return static_cast<std::uint64_t>(
      std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count());
}

}  // namespace

Recording::Recording(const std::string& output, const RecordingLimits& limits, bool has_sites,
                     bool first_only)
    : output_(output),
      limits_(limits),
      pool_(has_sites, first_only),
      own_pid_space_(own_pid_space()),
      earlier_children_(own_children()),
      start_ns_(monotonic_ns()),
      unrecorded_(pool_.base()) {
  pool_.pool().reader_space = static_cast<std::uint32_t>(own_pid_space_);
  check_trace_output(output);
  timer_ = ::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
  if (timer_ < 0) {
    throw Failure(kRunFailed, fmt::format("cannot make a timer: {}", std::strerror(errno)));
  }
  arm(kShortestPause);
}

Recording::~Recording() {
  if (timer_ >= 0) ::close(timer_);
}

void Recording::arm(std::uint64_t ns) {
  pause_ns_ = ns;
  const itimerspec once{{0, 0}, {0, static_cast<long>(ns)}};
  ::timerfd_settime(timer_, 0, &once, nullptr);
}

void Recording::read_on() {
  std::uint64_t expired = 0;
  if (::read(timer_, &expired, sizeof expired) < 0 && errno != EAGAIN) return;
  priority_.let_others_first();  // the program has been started before
  priority_.set_urgent(2 * free_chunks() < pool_.chunks());
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

void Recording::stop() {
  is_stopped_ = true;
  pool_.pool().is_over.store(1);
}

void Recording::finish() {
  priority_.set_urgent(true);  // nobody is left to yield to
  if (!is_stopped_) {
    now_ns_ = monotonic_ns();  // chunks of a program that was over before the first look
    adopt_chunks();
    still_running_ = count_running();
    pool_.pool().is_over.store(1);
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
  waits_ = pool_.pool().waits.load();
  for (auto& [number, process] : processes_) end_process(process);
  processes_.clear();
  try {
    finish_trace_files(output_, {done_, failed_, unrecorded()});
  } catch (const std::runtime_error& error) {
    if (error_.empty()) error_ = error.what();
  }
}

std::size_t Recording::round(bool is_last) {
  now_ns_ = monotonic_ns();
  pool_.pool().beats.fetch_add(1, std::memory_order_relaxed);
  if (is_stopped_) return 0;
  // Before the chunks are looked at: what is older is in them.
  const std::uint64_t now = core::ticks_before();
  const std::uint64_t until = is_last ? UINT64_MAX : now - kSettledTicks;
  std::size_t found = 0;
  try {
    adopt_chunks();
    // All that it has left is adopted by what follows.
    if (look_for_ends(is_last)) adopt_chunks();
    for (auto at = processes_.begin(); at != processes_.end();) {
      Process& process = at->second;
      if (is_stopped_) return 0;
      pool_.pool().beats.fetch_add(1, std::memory_order_relaxed);
      const std::size_t records = may_read(process, is_last) ? read(process, until) : 0;
      if (process.is_read) process.read_ns = now_ns_;
      if (records != 0) process.last_ns = now_ns_;
      found += records;
      const bool is_over = is_done(process);
      if (is_over) end_process(process);
      at = is_over ? processes_.erase(at) : std::next(at);
    }
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

std::size_t Recording::count_running() {
  // Orphans may not have told of themselves yet.
  std::set<pid_t> near;
  if (pool_.pool().first_only == 0) near = own_children();
  for (const pid_t one : earlier_children_) near.erase(one);
  std::set<std::pair<std::uint64_t, pid_t>> below;
  for (const auto& [number, process] : processes_) {
    const pid_t id = process.trace->process();
    if (process.pid_space == own_pid_space_) {
      near.insert(id);
    } else {
      below.emplace(process.pid_space, id);
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
      if (!thread->is_missing_chunk()) continue;
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

void Recording::adopt_chunks() {
  for (const std::size_t chunk : pool_.taken()) {
    const ChunkHead& head = *trace::head_of(pool_.base(), chunk);
    thread_of(head).add_chunk(head.sequence.load(std::memory_order_relaxed), chunk);
  }
}

Recording::Process& Recording::process_of(const ChunkHead& head) {
  const auto [found, is_new] = processes_.try_emplace(head.process);
  Process& process = found->second;
  if (!is_new) return process;
  const auto id = static_cast<pid_t>(head.process_id);
  process.trace = std::make_unique<ProcessTrace>(head.process, id);
  // The image before has ended by exec.
  for (auto& [number, other] : processes_) {
    const bool is_same =
        number < head.process && other.trace->process() == id && other.pid_space == head.pid_space;
    if (!is_same) continue;
    other.is_superseded = true;
    process.trace->set_parent(other.trace->parent());
  }
  process.pid_space = head.pid_space;
  if (process.pid_space == own_pid_space_) unrecorded_.has_told(id);
  process.start_ns = process.last_ns = now_ns_;
  process.start_epoch_ns = epoch_ns();
  return process;
}

ThreadRecords& Recording::thread_of(const ChunkHead& head) {
  ThreadRecords*& thread = threads_[head.thread];
  if (thread != nullptr) return *thread;
  Process& process = process_of(head);
  const auto ended = process.ended_threads.find(head.thread);
  const bool is_back = ended != process.ended_threads.end();
  process.threads.push_back(std::make_unique<ThreadRecords>(pool_, head.thread, head.thread_id,
                                                            is_back ? ended->second : 1));
  thread = process.threads.back().get();
  if (is_back) {
    thread->is_ending = true;
    thread->ending_ns = now_ns_;
  }
  return *thread;
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

}  // namespace mmt::cli
