// Relations: a^2 = (-1)^negative * (product of primes of the base) * large^2 modulo n.
// A term whose Q leaves one prime above the base is half of a relation. Two halves with the same
// large prime make a relation, whose large factor is that prime.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/array.h"
#include "cfrac/factor_base.h"
#include "cfrac/integer.h"

namespace mmt::workloads::classic::cfrac {

struct Relation {
  Integer a;
  uint64_t large;  // 1 when there is none.
  Relation* next;  // In a chain of halves.
  bool negative;
  uint32_t count;  // The number of factors that follow in the block.

  const uint16_t* factors() const { return reinterpret_cast<const uint16_t*>(this + 1); }
};

class Relations {
 public:
  // Large primes stay below `large_bound`; 0 for none.
  Relations(const Integer& n, uint64_t large_bound);
  ~Relations();
  Relations(const Relations&) = delete;
  Relations& operator=(const Relations&) = delete;

  // Takes the term in if `rest` is small enough. Wants rest to have no factor in the base.
  void add(const Integer& a, bool negative, const Factors& factors, const Integer& rest);

  size_t size() const { return whole_.size(); }
  const Relation& operator[](size_t index) const { return *whole_[index]; }
  // Forgets those that `kept` says no to.
  template <typename Kept>
  void keep_if(const Kept& kept) {
    size_t left = 0;
    for (size_t i = 0; i < whole_.size(); ++i) {
      if (kept(i)) {
        whole_[left++] = whole_[i];
      } else {
        destroy(whole_[i]);
      }
    }
    whole_.shrink(left);
  }

 private:
  static constexpr size_t kChains = 1024;

  static Relation* create(const Integer& a, uint64_t large, bool negative, const Factors& factors);
  static void destroy(Relation* relation);
  void add_half(Relation* half);

  const Integer n_;
  const uint64_t large_bound_;
  Array<Relation*> whole_;
  Relation** halves_;  // By large prime.
};

}  // namespace mmt::workloads::classic::cfrac
