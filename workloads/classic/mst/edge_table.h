// The edges of one vertex: a chained hash table from the other vertex to the weight, an entry a
// block of its own.
#pragma once

#include <cstdint>
#include <cstdlib>

#include "base/memory.h"

namespace mmt::workloads::classic::mst {

class EdgeTable {
 public:
  // With a chain for each four edges, as Olden's.
  void open(uint64_t edges) {
    chains_ = edges / 4 + 1;
    heads_ = allocate_array<Entry*>(chains_);
    for (uint64_t i = 0; i < chains_; ++i) heads_[i] = nullptr;
  }
  void add(uint64_t vertex, uint64_t weight) {
    Entry*& head = heads_[vertex % chains_];
    auto* entry = static_cast<Entry*>(allocate(sizeof(Entry)));
    *entry = {vertex, weight, head};
    head = entry;
  }
  // 0: there is no such edge.
  uint64_t find(uint64_t vertex) const {
    for (const Entry* entry = heads_[vertex % chains_]; entry != nullptr; entry = entry->next) {
      if (entry->vertex == vertex) return entry->weight;
    }
    return 0;
  }
  void close() {
    for (uint64_t i = 0; i < chains_; ++i) {
      while (Entry* entry = heads_[i]) {
        heads_[i] = entry->next;
        std::free(entry);
      }
    }
    std::free(heads_);
  }

 private:
  struct Entry {
    uint64_t vertex;
    uint64_t weight;
    Entry* next;
  };

  Entry** heads_;
  uint64_t chains_;
};

}  // namespace mmt::workloads::classic::mst
