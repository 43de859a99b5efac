#pragma once
// A list of free chunks that remembers where the next search in it begins (next fit). When that
// chunk leaves, the one behind it takes its place. It is not thread-safe.
#include <mmt/layers/fit/arena.h>
#include <mmt/layers/fit/chunk_list.h>

namespace mmt::layers::fit {

template <class ArenaType>
class RovingList : public ChunkList<ArenaType> {
  using Base = ChunkList<ArenaType>;

 public:
  // A chunk of the list; kNone: its front.
  Address rover() const { return rover_; }
  void set_rover(Address at) { rover_ = at; }

  void remove(ArenaType& arena, Address at) {
    if (rover_ == at) rover_ = Base::next(arena, at);
    Base::remove(arena, at);
  }

 private:
  Address rover_ = kNone;
};

}  // namespace mmt::layers::fit
