#include "cfrac/relations.h"

#include <algorithm>
#include <cstdlib>
#include <new>

#include "base/memory.h"

namespace mmt::workloads::classic::cfrac {

Relations::Relations(const Integer& n, uint64_t large_bound)
    : n_(n), large_bound_(large_bound), halves_(allocate_array<Relation*>(kChains)) {
  std::fill(halves_, halves_ + kChains, nullptr);
}

Relations::~Relations() {
  for (Relation* relation : whole_) destroy(relation);
  for (size_t i = 0; i < kChains; ++i) {
    for (Relation* half = halves_[i]; half != nullptr;) {
      Relation* next = half->next;
      destroy(half);
      half = next;
    }
  }
  std::free(halves_);
}

Relation* Relations::create(const Integer& a, uint64_t large, bool negative,
                            const Factors& factors) {
  void* block = allocate(sizeof(Relation) + factors.size() * sizeof(uint16_t));
  auto* relation =
      ::new (block) Relation{a, large, nullptr, negative, static_cast<uint32_t>(factors.size())};
  std::copy(factors.begin(), factors.end(), reinterpret_cast<uint16_t*>(relation + 1));
  return relation;
}

void Relations::destroy(Relation* relation) {
  relation->~Relation();
  std::free(relation);
}

void Relations::add(const Integer& a, bool negative, const Factors& factors, const Integer& rest) {
  if (rest.is_one()) {
    whole_.add(create(a, 1, negative, factors));
  } else if (rest.fits_u64() && rest.low_u64() < large_bound_) {
    add_half(create(a, rest.low_u64(), negative, factors));
  }
}

void Relations::add_half(Relation* half) {
  Relation** chain = &halves_[half->large / 2 % kChains];
  for (Relation* other = *chain; other != nullptr; other = other->next) {
    if (other->large != half->large) continue;
    if (!(other->a == half->a)) {  // Else the period came round: nothing new.
      Factors both;
      both.reserve(half->count + size_t{other->count});
      for (uint32_t i = 0; i < half->count; ++i) both.add(half->factors()[i]);
      for (uint32_t i = 0; i < other->count; ++i) both.add(other->factors()[i]);
      bool negative = half->negative != other->negative;
      whole_.add(create(half->a * other->a % n_, half->large, negative, both));
    }
    destroy(half);
    return;
  }
  half->next = *chain;
  *chain = half;
}

}  // namespace mmt::workloads::classic::cfrac
