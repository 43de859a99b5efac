// What is kept for programs is bounded, for each and for all together.
#include <unistd.h>

#include <algorithm>

#include <fmt/format.h>

#include <mmt/core/compiler.h>

#include "tracing/recording.h"
#include "tracing/running.h"

namespace mmt::tracing {
namespace {

// No allocator has blocks so small.
constexpr std::size_t kSmallestBlock = 8;
constexpr std::uint64_t kIdleFor = 1'000'000'000;
constexpr std::size_t kMostLive = std::size_t{1} << 28;

}  // namespace

std::size_t Recording::own_bound() {
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long bytes = ::sysconf(_SC_PAGESIZE);
  constexpr std::size_t kLeast = std::size_t{1} << 30;
  if (pages <= 0 || bytes <= 0) return kLeast;
  return std::max(static_cast<std::size_t>(pages) * static_cast<std::size_t>(bytes) / 2, kLeast);
}

// Programs whose records are not read yet wait for that, as soon as they need more chunks. Nothing
// that is read waits for what a program still has to write, so all are released in the end.
void Recording::bound_pending() {
  std::size_t pending = 0;
  for (const auto& [number, source] : sources_) {
    if (source.has_failed) continue;
    pending += source.pool->used() - std::min(source.pool->used(), held_chunks(source));
  }
  const std::size_t most = is_withholding_ ? limits_.pending_chunks / 2 : limits_.pending_chunks;
  if ((pending > most) == is_withholding_) return;
  is_withholding_ = !is_withholding_;
  for (auto& [number, source] : sources_) {
    if (is_withholding_) {
      source.pool->withhold();
    } else {
      source.pool->release();
    }
  }
}

// What was read keeps its memory for the next records, unless that is much and none come.
void Recording::trim_pools() {
  std::size_t touched = 0;
  for (const auto& [number, source] : sources_) touched += source.pool->touched();
  for (auto& [number, source] : sources_) {
    if (source.has_failed || source.pool->touched() == 0) continue;
    const bool is_in_use = source.pool->given() != source.given;
    source.given = source.pool->given();
    if (is_in_use) source.given_ns = now_ns_;
    if (touched <= limits_.pending_chunks || now_ns_ - source.given_ns < kIdleFor) continue;
    source.pool->trim();
  }
}

void Recording::account(Process& process) {
  std::size_t held = 0;
  if (!process.is_over) {
    held = process.trace->held_bytes() + process.ended_threads.size() * kBytesANode +
           process.forks.size() * sizeof(std::uint64_t);
    for (const auto& thread : process.threads) held += thread->held_bytes();
  }
  held_bytes_ += held - process.held_bytes;
  process.held_bytes = held;
}

bool Recording::is_full() const {
  return held_bytes_ + left_objects_ * sizeof(LiveObject) > limits_.held_bytes;
}

// Whoever needs most goes first: one that needs little is not to suffer for it.
void Recording::bound_held() {
  while (MMT_UNLIKELY(is_full())) {
    const auto process = std::max_element(processes_.begin(), processes_.end(),
                                          [](const auto& one, const auto& two) {
                                            return one.second.held_bytes < two.second.held_bytes;
                                          });
    const auto left = std::max_element(
        left_.begin(), left_.end(),
        [](const auto& one, const auto& two) { return one.second.objects < two.second.objects; });
    const std::size_t own = process == processes_.end() ? 0 : process->second.held_bytes;
    const std::size_t bytes = left == left_.end() ? 0 : left->second.objects * sizeof(LiveObject);
    if (bytes > own) {
      const Inheritance& lost = *left->second.inheritance;
      tell_fault(
          fmt::format("what a child of process {} ('{}') has of it is not known: of its "
                      "{} blocks, no more are kept than {} MiB",
                      lost.parent, lost.program, left->second.objects, limits_.held_bytes >> 20));
      forget(left);
    } else if (own != 0) {
      const std::uint32_t source = process->second.source;
      end_reading(source, fmt::format("the recording of {} ends before the program: it needs {} "
                                      "MiB, of {} MiB for all programs together",
                                      name_of_owner(sources_.at(source)), own >> 20,
                                      limits_.held_bytes >> 20));
    } else {
      return;
    }
  }
}

// The memory that a process ever had bounds what it has allocated, and what is kept of that here.
// What is left of one that has ended is no more than its pool.
void Recording::check_live(Process& process) const {
  const std::size_t live = process.trace->live();
  if (MMT_LIKELY(live <= process.most_live)) return;
  const std::uint64_t bytes = process.near_id != 0 ? most_memory_of(process.near_id) : 0;
  const std::uint64_t own = bytes > trace::kPoolBytes ? bytes - trace::kPoolBytes : 0;
  if (live > kMostLive || (bytes != 0 && live > own / kSmallestBlock)) {
    throw PoolFault(fmt::format("{} live blocks, more than its memory has room for", live));
  }
  process.most_live = 2 * live;
}

}  // namespace mmt::tracing
