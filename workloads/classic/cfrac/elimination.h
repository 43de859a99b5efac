// Gauss elimination over GF(2): sets of relations whose product is a square.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/array.h"
#include "cfrac/relations.h"

namespace mmt::workloads::classic::cfrac {

class Elimination {
 public:
  // Column 0 is the sign, column i + 1 the exponent of prime i, of `primes` primes.
  Elimination(const Relations& relations, size_t primes);
  ~Elimination();
  Elimination(const Elimination&) = delete;
  Elimination& operator=(const Elimination&) = delete;

  // Puts the indices of the relations of the next set into `members`; false after the last.
  bool next(Array<size_t>* members);

 private:
  // A row is one block of words: exponents modulo 2, then which relations were added up in it.
  bool bit(const uint64_t* row, size_t index) const {
    return (row[index / 64] >> index % 64 & 1) != 0;
  }
  void eliminate();

  size_t columns_;
  size_t column_words_;
  size_t words_;
  Array<uint64_t*> rows_;
  size_t next_ = 0;  // Rows from here on have no exponent left.
};

}  // namespace mmt::workloads::classic::cfrac
