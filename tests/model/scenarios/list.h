// Entries left for whoever holds the lock: each comes out once, with what was written to it.
#pragma once

#include <cstdint>

#include <mmt/sync/index_list.h>

namespace mmt::model {

// Two threads push, one twice; the third takes while they do.
template <class World>
struct ListOfThree {
  static constexpr int kThreads = 3;
  static constexpr uint32_t kEntries = 3;
  sync::IndexList<World> list;
  typename World::template Plain<uint32_t> links[kEntries];
  typename World::template Plain<uint32_t> contents[kEntries];
  uint32_t taken[kEntries] = {};

  void thread(int index) {
    switch (index) {
      case 0:
        push(0);
        push(1);
        return;
      case 1:
        return push(2);
      default:
        take();
        take();
    }
  }
  void push(uint32_t entry) {
    contents[entry] = 10 + entry;
    list.add(entry, [&](uint32_t link) { links[entry] = link; });
  }
  void take() {
    for (uint32_t link = list.take_all(); link != 0; link = links[link - 1]) {
      World::require(contents[link - 1] == 9 + link, "an entry is complete");
      ++taken[link - 1];
    }
  }
  void finish() {
    take();
    for (const uint32_t times : taken) World::require(times == 1, "each comes out once");
    World::require(list.empty(), "and none is left");
  }
};

}  // namespace mmt::model
