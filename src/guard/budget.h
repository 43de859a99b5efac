#pragma once
// What places cost a thread: calls of the system, which take as long as many allocations. A thread
// spends no more than a share of its CPU time on them. Where that is less than the rate of sampling
// asks for, allocations that are due go without, and come less often.
#include <cstdint>

namespace mmt::guard {

// From now on all threads are bound. Otherwise whatever is due is served.
void bind_to_budget();

// The time that a thread spends on one allocation of a place, and later on its free.
class Spending {
 public:
  Spending();
  ~Spending();
  Spending(const Spending&) = delete;
  Spending& operator=(const Spending&) = delete;

  // False: the thread cannot afford it now.
  bool is_allowed() const { return is_allowed_; }

 private:
  uint64_t begun_ns_;  // 0: nobody asks
  bool is_allowed_;
};

}  // namespace mmt::guard
