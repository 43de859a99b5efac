// Pools that come and go, whose chunks are whose, and what ends a program's recording alone.
#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include <mmt/core/compiler.h>

#include "tracing/recording.h"
#include "tracing/running.h"

namespace mmt::tracing {
namespace {

// Processes that record in their parents' pools, of one pool.
constexpr std::size_t kMostSharing = 4096;
// What a fork has left is a child's that may not have come as far.
constexpr std::uint64_t kForkFor = 10'000'000'000;
// How often is looked whether a program runs of which nothing is read any more.
constexpr std::uint64_t kRunningFor = 100'000'000;

std::uint64_t epoch_ns() {
  return static_cast<std::uint64_t>(
      std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count());
}

}  // namespace

bool Recording::take_pools(std::size_t most) {
  for (std::size_t i = 0; i < most; ++i) {
    bool has_more = false;
    const auto announced = socket_.receive(has_more);
    if (announced) take_pool(*announced);
    if (!has_more) return true;
  }
  return false;
}

void Recording::take_pool(const AnnouncedPool& announced) {
  auto pool = PoolFile::adopt(announced.descriptor);
  if (announced.process == 0) {
    tell_fault(
        "a process that cannot be seen from here, in another pid namespace, is not recorded");
    return;
  }
  if (pool == nullptr) {
    tell_fault(fmt::format("process {} ('{}') has sent something else than what it records in",
                           announced.process, name_of(announced.process)));
    return;
  }
  unrecorded_.add_pool(pool->identity());
  // Where it is not wanted, its end tells the program so.
  if (is_stopped_ || (first_only_ && has_first_ && !announced.is_fork)) return;
  // Children share the first one's pool from here on, and what they execute finds none.
  if (first_only_ && !has_first_) socket_.hide();
  has_first_ = true;
  pool->begin(static_cast<std::uint32_t>(::getpid()), static_cast<std::uint32_t>(own_pid_space_));
  if (is_withholding_) pool->withhold();
  const std::uint32_t number = ++newest_;
  for (auto& [earlier, source] : sources_) {
    if (source.owner == announced.process) source.has_failed = false;
  }
  Source& source = sources_[number];
  source.pool = std::move(pool);
  source.owner = announced.process;
  source.name = name_of(announced.process);
  Process& process = processes_.at(add_process(number, 1, announced.process));
  // The image before has ended by exec. The kernel says which process it is, so no other can end
  // it.
  for (auto& [before, other] : processes_) {
    if (&other == &process || other.near_id != announced.process) continue;
    other.is_superseded = true;
    process.trace->set_parent(other.trace->parent());
  }
  unrecorded_.has_told(announced.process);
}

std::uint32_t Recording::add_process(std::uint32_t source, std::uint32_t number_there,
                                     pid_t near_id) {
  const std::uint32_t number = ++newest_;
  Process& process = processes_[number];
  process.trace = std::make_unique<ProcessTrace>(number, near_id);
  process.source = source;
  process.number_there = number_there;
  process.near_id = near_id;
  process.pid_space = own_pid_space_;
  process.start_ns = process.last_ns = now_ns_;
  process.start_epoch_ns = epoch_ns();
  Source& from = sources_.at(source);
  from.processes[number_there] = number;
  ++from.users;
  return number;
}

// A child of a fork that has no pool of its own tells itself who it is.
std::uint32_t Recording::add_sharing(std::uint32_t number, Source& source, const TakenChunk& head) {
  const auto id = static_cast<pid_t>(head.process_id);
  if (source.processes.size() >= kMostSharing || id <= 0) {
    throw PoolFault(fmt::format("a process of the number {}, the id {}", head.process, id));
  }
  const bool is_near = head.pid_space == own_pid_space_;
  const std::uint32_t added = add_process(number, head.process, is_near ? id : 0);
  processes_.at(added).trace->set_process(id);
  if (is_near) unrecorded_.has_told(id);
  return added;
}

Recording::Process& Recording::process_of(std::uint32_t number, Source& source,
                                          const TakenChunk& head) {
  const auto found = source.processes.find(head.process);
  const bool is_known = found != source.processes.end() && processes_.contains(found->second);
  Process& process = processes_.at(is_known ? found->second : add_sharing(number, source, head));
  // By its first chunk. Where ids are others, it is called by the one that it has there.
  if (!process.has_begun && process.pid_space == own_pid_space_ &&
      head.pid_space != own_pid_space_) {
    process.pid_space = head.pid_space;
    process.trace->set_process(static_cast<pid_t>(head.process_id));
  }
  return process;
}

ThreadRecords& Recording::thread_of(std::uint32_t number, Source& source, const TakenChunk& head) {
  Process& process = process_of(number, source, head);
  SourceThread& thread = source.threads[head.thread];
  if (thread.records != nullptr) {
    if (thread.process == head.process) return *thread.records;
    throw PoolFault(fmt::format("thread {} in two processes", head.thread));
  }
  if (process.threads.size() >= kMostThreads) throw PoolFault("more threads than there can be");
  const auto ended = process.ended_threads.find(head.thread);
  const bool is_back = ended != process.ended_threads.end();
  process.threads.push_back(std::make_unique<ThreadRecords>(
      *source.pool, head.thread, head.thread_id, is_back ? ended->second : 1));
  thread = {process.threads.back().get(), head.process};
  if (is_back) {
    thread.records->is_ending = true;
    thread.records->ending_ns = now_ns_;
  }
  return *thread.records;
}

void Recording::adopt_chunks() {
  for (auto& [number, source] : sources_) {
    try {
      adopt_chunks_of(number, source);
    } catch (const PoolFault& fault) {
      fail(number, fault.what());
    }
  }
}

void Recording::adopt_chunks_of(std::uint32_t number, Source& source) {
  if (source.processes.empty()) return;
  source.pool->check();
  for (const TakenChunk& one : source.pool->taken()) {
    // A process that goes on though all is over could do so for ever.
    if (is_last_ && ++source.last_chunks > source.pool->chunks()) {
      throw PoolFault("records after the end of the recording");
    }
    thread_of(number, source, one).add_chunk(one.sequence, one.chunk, one.record_bytes);
  }
}

std::string Recording::name_of_owner(const Source& source) const {
  std::string command = source.name;
  for (const auto& [there, number] : source.processes) {
    const auto process = processes_.find(number);
    if (process == processes_.end() || process->second.command.empty()) continue;
    command = process->second.command;
    break;
  }
  return fmt::format("process {} ('{}')", source.owner, command);
}

void Recording::fail(std::uint32_t source, const std::string& what) {
  end_reading(source, fmt::format("{} has left what is no record of it, {}: its trace ends there",
                                  name_of_owner(sources_.at(source)), what));
}

void Recording::tell_fault(const std::string& why) {
  if (error_.empty()) error_ = why;
  if (faults_.size() < kMostFaults) faults_.push_back(why);
}

void Recording::end_reading(std::uint32_t source, const std::string& why) {
  Source& ended = sources_.at(source);
  ended.pool->end();
  ended.has_failed = true;
  tell_fault(why);
  for (const auto& [there, number] : ended.processes) {
    const auto process = processes_.find(number);
    if (process == processes_.end()) continue;
    process->second.is_over = true;
    process->second.trace->fail(why);
    account(process->second);
  }
  ended.processes.clear();
}

bool Recording::is_to_be_told(Source& source) const {
  if (!source.has_failed || is_last_ || is_stopped_) return false;
  source.pool->end();
  if (now_ns_ - source.running_ns < kRunningFor) return true;
  source.running_ns = now_ns_;
  return is_running(source.owner);
}

void Recording::drop_idle_sources() {
  for (auto at = sources_.begin(); at != sources_.end();) {
    Source& source = at->second;
    const bool is_awaited = !is_last_ && !is_stopped_ && !source.processes.empty() &&
                            source.fork_ns != 0 && now_ns_ - source.fork_ns < kForkFor;
    if (source.users != 0 || is_awaited || is_to_be_told(source)) {
      ++at;
      continue;
    }
    if (!source.processes.empty()) waits_ += source.pool->waits();
    at = sources_.erase(at);
  }
}

bool Recording::is_urgent() const {
  return std::any_of(sources_.begin(), sources_.end(), [](const auto& one) {
    const PoolFile& pool = *one.second.pool;
    return !one.second.has_failed && 2 * pool.free_chunks() < pool.chunks();
  });
}

}  // namespace mmt::tracing
