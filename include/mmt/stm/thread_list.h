// The counts of the threads of a memory: of those that run, and of those that have ended.
// Any thread may call it. add() throws std::bad_alloc, and nothing has changed then.
#pragma once

#include <mutex>
#include <vector>

#include <mmt/stm/statistics.h>

namespace mmt::stm {

class ThreadList {
 public:
  void add(const Counts* counts) {
    const std::lock_guard lock(mutex_);
    running_.push_back(counts);
  }
  // Its counts do not change any more.
  void remove(const Counts* counts) {
    const std::lock_guard lock(mutex_);
    add_to(&ended_, *counts);
    std::erase(running_, counts);
  }
  Statistics sum() {
    const std::lock_guard lock(mutex_);
    Statistics sum = ended_;
    for (const Counts* counts : running_) add_to(&sum, *counts);
    return sum;
  }

 private:
  std::mutex mutex_;
  std::vector<const Counts*> running_;
  Statistics ended_;
};

}  // namespace mmt::stm
