#include "cfrac/elimination.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "base/memory.h"

namespace mmt::workloads::classic::cfrac {

Elimination::Elimination(const Relations& relations, size_t primes)
    : columns_(primes + 1),
      column_words_((columns_ + 63) / 64),
      words_(column_words_ + (relations.size() + 63) / 64) {
  for (size_t i = 0; i < relations.size(); ++i) {
    const Relation& relation = relations[i];
    auto* row = allocate_array<uint64_t>(words_);
    std::fill(row, row + words_, uint64_t{0});
    auto flip = [&](size_t index) { row[index / 64] ^= uint64_t{1} << index % 64; };
    if (relation.negative) flip(0);
    for (uint32_t j = 0; j < relation.count; ++j) flip(relation.factors()[j] + size_t{1});
    flip(column_words_ * 64 + i);
    rows_.add(row);
  }
  eliminate();
}

Elimination::~Elimination() {
  for (uint64_t* row : rows_) std::free(row);
}

void Elimination::eliminate() {
  for (size_t column = 0; column < columns_; ++column) {
    size_t pivot = next_;
    while (pivot < rows_.size() && !bit(rows_[pivot], column)) ++pivot;
    if (pivot == rows_.size()) continue;
    std::swap(rows_[pivot], rows_[next_]);
    for (size_t i = next_ + 1; i < rows_.size(); ++i) {
      if (!bit(rows_[i], column)) continue;
      for (size_t w = 0; w < words_; ++w) rows_[i][w] ^= rows_[next_][w];
    }
    ++next_;
  }
}

bool Elimination::next(Array<size_t>* members) {
  members->shrink(0);
  if (next_ == rows_.size()) return false;
  const uint64_t* row = rows_[next_++];
  for (size_t i = 0; i < rows_.size(); ++i) {
    if (bit(row, column_words_ * 64 + i)) members->add(i);
  }
  return true;
}

}  // namespace mmt::workloads::classic::cfrac
