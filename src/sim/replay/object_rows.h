// Turns objects, which are numbered by birth, into rows that are used again. So tables of live
// objects are as long as there are live objects. Shared by the models of one trace. One thread may
// use it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/flat_map.h"
#include "tracefile/event.h"

namespace mmt::sim {

using Row = uint32_t;

// An event whose object is a row. What models do not see keeps its place, so that events have the
// numbers that they have in the trace.
struct RowEvent {
  enum class Op : uint8_t { kAllocate, kFree, kResize, kNothing };
  Op op = Op::kNothing;
  uint8_t alignment = 0;  // log2; 0: malloc's
  Row row = 0;
  uint64_t bytes = 0;
};

class ObjectRows {
 public:
  // The events of `events` instead of what `out` held. Events of objects that are not live become
  // nothing: where a slice begins, there are some from before.
  void translate(std::span<const tracefile::Event> events, std::vector<RowEvent>& out);

  uint64_t live() const { return rows_.size(); }
  // Rows that were ever used at a time.
  Row most() const { return next_; }

 private:
  Row add(tracefile::Object object);

  core::FlatMap<Row> rows_;
  Row next_ = 0;
  std::vector<Row> unused_;
};

}  // namespace mmt::sim
