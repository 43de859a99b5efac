// A placement policy as the simulator drives it. It works over an address space of its own, of
// which only the policy's own data takes memory. Sizes are bytes. One thread may use it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include <mmt/layers/fit/policy.h>

#include "sim/metrics/touches.h"
#include "sim/models/counting_probe.h"

namespace mmt::sim {

using layers::fit::Address;
using layers::fit::FreeChunk;
using layers::fit::kNone;
using layers::fit::Shape;

// A free chunk in the structure that holds it. kNone: no such neighbour, or none known.
struct SeenNode {
  Address at = kNone;
  size_t bytes = 0;
  Address left = kNone;
  Address right = kNone;
};

class Model {
 public:
  virtual ~Model() = default;
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  // As FitPolicy's; `asked` bytes of a block are what free() and the others are told again.
  virtual Address allocate(size_t asked) = 0;
  virtual void free(Address at, size_t asked) = 0;
  // Whether the block keeps its place for `bytes` behind its first `skipped`; where chunks have no
  // header, free() is then told the sum.
  virtual bool resize(Address at, size_t asked, size_t skipped, size_t bytes) = 0;

  virtual void for_each_free(const std::function<void(FreeChunk)>& visit) const = 0;
  // 0: nothing is free.
  virtual size_t largest_free() const = 0;
  // The bytes of the heap that are no chunk, live or free: not cut yet, or never used again.
  virtual size_t uncut_bytes() const = 0;
  // The nodes of its trees or lists, roots and heads first; empty: it tells none.
  virtual std::vector<SeenNode> nodes() const = 0;
  virtual const char* broken_invariant() const = 0;
  virtual size_t chunk_bytes(Address at, size_t asked) const = 0;

  // The model counts there from now on; nullptr: no longer.
  virtual void count_touches(Touches* touches) = 0;

  // The work of the last allocate(), free() or resize().
  const Work& work() const { return work_; }
  size_t last_chunk() const { return last_chunk_; }  // bytes of the chunk given out or taken back

  size_t free_chunks() const { return free_chunks_; }
  size_t free_bytes() const { return free_bytes_; }
  Address end() const { return end_; }  // bytes that it has from the system

  Address first() const { return shape_.first_chunk(word_) + shape_.header_bytes(word_); }
  const Shape& shape() const { return shape_; }
  size_t header_bytes() const { return shape_.header_bytes(word_); }
  size_t least_chunk() const { return least_; }

 protected:
  Model(const Shape& shape, size_t word, size_t least)
      : shape_(shape), word_(word), least_(least) {}

  Work work_;
  size_t last_chunk_ = 0;
  size_t free_chunks_ = 0;
  size_t free_bytes_ = 0;
  Address end_ = 0;

 private:
  Shape shape_;
  size_t word_;
  size_t least_;
};

}  // namespace mmt::sim
