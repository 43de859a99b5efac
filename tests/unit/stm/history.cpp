#include "unit/stm/history.h"

#include <algorithm>
#include <map>
#include <utility>

namespace mmt::stm {
namespace {

// Nodes 0 .. n-1 are the attempts, n .. 2n-1 their ends in the order of time.
class Order {
 public:
  explicit Order(size_t attempts) : after_(2 * attempts), waits_for_(2 * attempts) {}

  void before(size_t a, size_t b) {
    if (a == b) return;
    after_[a].push_back(b);
    ++waits_for_[b];
  }
  bool has_circle() {
    std::vector<size_t> ready;
    for (size_t i = 0; i < after_.size(); ++i) {
      if (waits_for_[i] == 0) ready.push_back(i);
    }
    size_t done = 0;
    while (!ready.empty()) {
      const size_t node = ready.back();
      ready.pop_back();
      ++done;
      for (const size_t next : after_[node]) {
        if (--waits_for_[next] == 0) ready.push_back(next);
      }
    }
    return done != after_.size();
  }

 private:
  std::vector<std::vector<size_t>> after_;
  std::vector<size_t> waits_for_;
};

void order_by_time(const std::vector<Attempt>& history, Order* order) {
  std::vector<size_t> by_end(history.size());
  for (size_t i = 0; i < by_end.size(); ++i) by_end[i] = i;
  std::sort(by_end.begin(), by_end.end(),
            [&](size_t a, size_t b) { return history[a].ended < history[b].ended; });
  const size_t n = history.size();
  for (size_t i = 0; i < n; ++i) {
    order->before(by_end[i], n + i);
    if (i > 0) order->before(n + i - 1, n + i);
  }
  for (size_t i = 0; i < n; ++i) {
    const auto later = std::partition_point(by_end.begin(), by_end.end(), [&](size_t other) {
      return history[other].ended < history[i].began;
    });
    if (later != by_end.begin()) {
      order->before(n + static_cast<size_t>(later - by_end.begin()) - 1, i);
    }
  }
}

}  // namespace

std::string violation_of(const std::vector<Attempt>& history) {
  using Version = std::pair<uint32_t, uint64_t>;  // variable, value
  std::map<Version, uint32_t> writer;
  std::map<Version, uint32_t> successor;  // who wrote the next value of the variable
  for (uint32_t i = 0; i < history.size(); ++i) {
    if (!history[i].committed) continue;
    for (const Access& write : history[i].writes) writer[{write.variable, write.value}] = i;
  }
  for (uint32_t i = 0; i < history.size(); ++i) {
    if (!history[i].committed) continue;
    for (const Access& write : history[i].writes) {
      for (const Access& read : history[i].reads) {
        if (read.variable != write.variable) continue;
        const auto [at, is_new] = successor.insert({{read.variable, read.value}, i});
        if (!is_new && at->second != i) return "an update was lost";
      }
    }
  }

  Order order(history.size());
  order_by_time(history, &order);
  for (uint32_t i = 0; i < history.size(); ++i) {
    std::map<uint32_t, uint64_t> seen;
    for (const Access& read : history[i].reads) {
      const auto [at, is_new] = seen.insert({read.variable, read.value});
      if (!is_new && at->second != read.value) return "an attempt saw two values of a variable";
      const Version version{read.variable, read.value};
      if (read.value != kInitial) {
        const auto by = writer.find(version);
        if (by == writer.end()) return "a value was read that nobody committed";
        if (by->second == i) return "an attempt read what it wrote later";
        order.before(by->second, i);
      }
      const auto next = successor.find(version);
      if (next != successor.end()) order.before(i, next->second);
    }
  }
  return order.has_circle() ? "no order of the attempts explains what they saw" : "";
}

}  // namespace mmt::stm
