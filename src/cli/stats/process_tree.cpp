// Adding up the pages of many processes.
#include "cli/stats/process_tree.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace mmt::cli {
namespace {

using observe::Stat;

// A value of `server_state`.
constexpr std::uint64_t kRunning = 2;

// Many processes may have more than fits.
std::uint64_t sum(std::uint64_t one, std::uint64_t other) {
  return other > UINT64_MAX - one ? UINT64_MAX : one + other;
}

std::uint64_t above(std::uint64_t value, std::uint64_t base) {
  return value > base ? value - base : 0;
}

}  // namespace

std::uint64_t figure(const std::vector<std::uint64_t>& values, Stat stat) {
  const auto at = static_cast<std::size_t>(stat);
  return at < values.size() ? values[at] : 0;
}

void raise_figure(std::vector<std::uint64_t>& values, Stat stat, std::uint64_t value) {
  const auto at = static_cast<std::size_t>(stat);
  if (at < values.size()) values[at] = std::max(values[at], value);
}

bool is_counter(Stat stat) {
  return (stat >= Stat::kRefills && stat <= Stat::kLargeGiven) ||
         (stat >= Stat::kServerCpuNs && stat <= Stat::kPurgeNs);
}

void ProcessTree::add(std::vector<ProcessPage> pages) {
  for (ProcessPage& one : pages) add_one(std::move(one));
}

void ProcessTree::add_one(ProcessPage page) {
  const auto own = [&](Stat stat) {
    return above(figure(page.values, stat), figure(page.inherited, stat));
  };
  ++images_;
  if (page.is_forked) ++forks_;
  if (page.has_exited) ++exits_;
  for (std::size_t i = 0; i < counters_.size(); ++i) {
    if (is_counter(static_cast<Stat>(i)))
      counters_[i] = sum(counters_[i], own(static_cast<Stat>(i)));
  }
  const std::uint64_t given = own(Stat::kBlocksFlushed) + own(Stat::kLargeGiven);
  given_ = sum(given_, given);
  taken_ = sum(taken_, given + own(Stat::kInUseBlocks));
  most_threads_ = std::max(most_threads_, figure(page.values, Stat::kClients));
  SameName& same = names_[page.program];
  ++same.count;
  same.peak = std::max(same.peak, figure(page.values, Stat::kMostInUseBytes));

  // The image before has ended by exec.
  if (const auto before = last_.find(page.process); before != last_.end()) {
    Life& life = lives_[before->second.life];
    if (life.to == 0) life.to = std::max(page.opened_ns, life.from + 1);
  }
  const auto bytes = [&page](Stat peak) {
    return Bytes{figure(page.values, peak), figure(page.inherited, peak)};
  };
  // Times are those of the kernel's ticks: a life within one has a length all the same.
  const std::uint64_t end = page.ended_ns == 0 ? 0 : std::max(page.ended_ns, page.opened_ns + 1);
  lives_.push_back(
      {page.opened_ns, end, bytes(Stat::kMostInUseBytes), bytes(Stat::kPeakHeldBytes)});
  if (keeps_all_) all_.push_back(page);
  const pid_t process = page.process;
  last_[process] = {std::move(page), lives_.size() - 1};
}

const ProcessPage* ProcessTree::last_of(pid_t process) const {
  const auto found = last_.find(process);
  return found == last_.end() ? nullptr : &found->second.page;
}

std::size_t ProcessTree::served() const {
  return static_cast<std::size_t>(std::count_if(last_.begin(), last_.end(), [](const auto& one) {
    return figure(one.second.page.values, Stat::kServerState) == kRunning;
  }));
}

ProcessTree::Bytes ProcessTree::largest_sum(Stat peak) const {
  // Wide enough for the sums of any number of processes.
  __extension__ using Wide = __int128;
  struct Change {
    std::uint64_t time;
    Wide bytes;
    Wide inherited;
  };
  std::vector<Change> changes;
  for (const Life& life : lives_) {
    const Bytes& of = peak == Stat::kMostInUseBytes ? life.asked : life.held;
    const Wide bytes = of.peak;
    const Wide inherited = of.inherited;
    changes.push_back({life.from, bytes, inherited});
    if (life.to != 0) changes.push_back({std::max(life.to, life.from), -bytes, -inherited});
  }
  // At one moment ends come before beginnings: the negative change sorts first.
  std::sort(changes.begin(), changes.end(), [](const Change& one, const Change& other) {
    return std::pair(one.time, one.bytes) < std::pair(other.time, other.bytes);
  });
  Change now{};
  Change most{};
  for (const Change& change : changes) {
    now.bytes += change.bytes;
    now.inherited += change.inherited;
    if (now.bytes > most.bytes) most = now;
  }
  const auto fitting = [](Wide value) {
    return static_cast<std::uint64_t>(std::min<Wide>(value, UINT64_MAX));
  };
  return {fitting(most.bytes), fitting(most.inherited)};
}

std::uint64_t ProcessTree::most_at_a_time(Stat peak) const { return largest_sum(peak).peak; }

std::uint64_t ProcessTree::inherited_then(Stat peak) const { return largest_sum(peak).inherited; }

}  // namespace mmt::cli
