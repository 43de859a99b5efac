// How long the calls of a program's allocator took, as libmmt-latency.so counts them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "interprocess/call_page.h"

namespace mmt::cli {

struct ReportedValue {
  std::string key;
  double value = 0;
  std::string unit;
};

class CallTimes {
 public:
  // Makes an empty file of counts. Throws a Failure when it cannot.
  explicit CallTimes(const std::string& path);
  ~CallTimes();
  CallTimes(const CallTimes&) = delete;
  CallTimes& operator=(const CallTimes&) = delete;

  // Returns for malloc and for free the number of calls. If there were any, it adds quantiles from
  // p50 to p99.99, max, the time in all calls, and in those of more than 10 us. Throws a Failure
  // when no process of the program had the library loaded.
  std::vector<ReportedValue> values() const;

  // How many processes had the library loaded, and how many threads of theirs made a call.
  std::uint32_t processes() const;
  std::uint32_t threads() const;

 private:
  latency::CallPage* page_ = nullptr;
};

// How long a call that does nothing takes as the library times it, on this machine.
double empty_call_ns();

}  // namespace mmt::cli
