// What comes through the pipe of the agent in a Java machine, as events of a trace.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "java/record.h"
#include "tracefile/event.h"

namespace mmt::tracing {

class RecordStream {
 public:
  explicit RecordStream(std::function<void(const tracefile::Event&)> take)
      : take_(std::move(take)) {}

  // Bytes as the pipe gave them. The first machine that speaks is the one that is heard.
  void add(const char* bytes, size_t count);

  uint64_t allocations() const { return allocations_; }
  uint64_t frees() const { return frees_; }
  uint64_t collections() const { return collections_; }  // forced
  // Whether the machine told that it ended; else it was killed, or never began.
  bool is_whole() const { return is_whole_; }
  // Records of other machines, which were left out.
  uint64_t foreign() const { return foreign_; }
  // What is wrong with it, empty: nothing. After that nothing is taken any more.
  const std::string& fault() const { return fault_; }

 private:
  bool take_batch();
  void take(const java::Record& record);

  std::function<void(const tracefile::Event&)> take_;
  std::vector<char> pending_;
  uint32_t process_ = 0;
  uint64_t allocations_ = 0;
  uint64_t frees_ = 0;
  uint64_t collections_ = 0;
  uint64_t foreign_ = 0;
  bool is_whole_ = false;
  std::string fault_;
};

}  // namespace mmt::tracing
