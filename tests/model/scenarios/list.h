// Lists: each entry comes out once, with what was written to it.
#pragma once

#include <cstdint>

#include <mmt/sync/counted_list.h>
#include <mmt/sync/take_all_list.h>

namespace mmt::model {

// Two threads push, one twice; the third takes while they do.
template <class World>
struct ListOfThree {
  static constexpr int kThreads = 3;
  static constexpr uint32_t kEntries = 3;
  sync::TakeAllList<uint32_t, World> list;
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
    list.add(entry + 1, [&](uint32_t link) { links[entry] = link; });
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

// One puts two entries, another takes, writes and puts back while it does.
template <class World>
struct CountedListTaken {
  static constexpr int kThreads = 2;
  static constexpr uint32_t kEntries = 2;
  sync::CountedList<World> list;
  typename sync::CountedList<World>::Link links[kEntries];
  typename World::template Plain<uint32_t> contents[kEntries];

  void thread(int index) {
    if (index == 0) {
      put(1);
      put(2);
    } else if (const uint32_t entry = take()) {
      put(entry);
    }
  }
  void put(uint32_t entry) {
    contents[entry - 1] = entry;
    list.put(entry, link_of());
  }
  uint32_t take() {
    const uint32_t entry = list.take(link_of());
    if (entry != 0) {
      World::require(contents[entry - 1] == entry, "an entry is complete");
      contents[entry - 1] = 0;
    }
    return entry;
  }
  auto link_of() {
    return [this](uint32_t link) -> auto& { return links[link - 1]; };
  }
  void finish() {
    const uint32_t first = take();
    const uint32_t second = take();
    World::require(first + second == 3 && first != 0 && second != 0, "each comes out once");
    World::require(take() == 0, "and none is left");
  }
};

// An entry is taken, and comes back, while another thread stands between its look and its exchange.
// That thread would put a wrong link at the head without the count.
template <class World>
struct CountedListOfTwo : CountedListTaken<World> {
  CountedListOfTwo() {
    this->put(1);
    this->put(2);
  }

  void thread(int index) {
    const uint32_t first = this->take();
    if (index == 0) {
      if (first != 0) this->put(first);
      return;
    }
    const uint32_t second = this->take();
    if (first != 0) this->put(first);
    if (second != 0) this->put(second);
  }
};

}  // namespace mmt::model
