// Expansion to primes. The off-set tells how far a cube can grow, the other cubes tell whereto.
#include <algorithm>

#include "espresso/steps.h"

namespace mmt::workloads::classic::espresso {

namespace {

// Makes one cube prime. `cube_` only grows; `free_` are the values it lacks that may still be
// added. No value is added that would make it reach into the off-set.
class Expansion {
 public:
  Expansion(const Cover& off, Word* cube)
      : shape_(off.shape()), cube_(cube), free_(shape_, shape_.full()), off_(new_off_list(off)) {
    off_count_ = off.size();
    for (size_t i = 0; i < shape_.words(); ++i) free_[i] &= ~cube_[i];
  }
  ~Expansion() { std::free(off_); }
  Expansion(const Expansion&) = delete;
  Expansion& operator=(const Expansion&) = delete;

  void run(const Cover& on) {
    settle();
    while (raise_over_another(on)) settle();
    while (raise_most_common(on)) settle();
  }

 private:
  static const Word** new_off_list(const Cover& off) {
    auto** list = allocate_array<const Word*>(off.size());
    std::copy(off.begin(), off.end(), list);
    return list;
  }

  // This blocks values that would reach into a cube of the off-set that is one variable away. It
  // forgets the off-cubes that cannot be reached any more. It adds the values that none of the
  // others has.
  void settle() {
    size_t left = 0;
    Word reached[Shape::kMaxWords] = {};
    for (size_t i = 0; i < off_count_; ++i) {
      const Word* off = off_[i];
      size_t variable;
      if (shape_.distance(cube_, off, &variable) == 1) {
        const Shape::Place place = shape_.place(variable);
        for (size_t w = place.first; w < place.last; ++w) free_[w] &= ~(off[w] & place.mask);
      } else {
        off_[left++] = off;
      }
    }
    off_count_ = left;
    left = 0;
    Cube largest(shape_, cube_);
    for (size_t w = 0; w < shape_.words(); ++w) largest[w] |= free_[w];
    for (size_t i = 0; i < off_count_; ++i) {
      if (!shape_.intersect(largest, off_[i])) continue;
      for (size_t w = 0; w < shape_.words(); ++w) reached[w] |= off_[i][w];
      off_[left++] = off_[i];
    }
    off_count_ = left;
    for (size_t w = 0; w < shape_.words(); ++w) raise(w, free_[w] & ~reached[w]);
  }

  void raise(size_t word, Word values) {
    cube_[word] |= values;
    free_[word] &= ~values;
  }

  bool is_feasible(const Word* cube) const {
    for (size_t i = 0; i < off_count_; ++i) {
      if (shape_.intersect(cube, off_[i])) return false;
    }
    return true;
  }

  // Grows over another cube of the cover, if it can be: the one with which most others are covered.
  bool raise_over_another(const Cover& on) {
    Cube largest(shape_, cube_);
    for (size_t w = 0; w < shape_.words(); ++w) largest[w] |= free_[w];
    Cover feasible(shape_);
    for (const Word* other : on) {
      if (other == nullptr || !shape_.contains(largest, other)) continue;
      if (shape_.contains(cube_, other)) continue;
      Cube both(shape_, cube_);
      for (size_t w = 0; w < shape_.words(); ++w) both[w] |= other[w];
      if (is_feasible(both)) feasible.add_block(both.release());
    }
    const Word* best = nullptr;
    size_t best_covered = 0, best_size = 0;
    for (const Word* candidate : feasible) {
      size_t covered = 0;
      for (const Word* other : feasible) covered += shape_.contains(candidate, other);
      size_t size = shape_.count_bits(candidate);
      if (covered < best_covered || (covered == best_covered && size <= best_size)) continue;
      best = candidate;
      best_covered = covered;
      best_size = size;
    }
    if (best == nullptr) return false;
    for (size_t w = 0; w < shape_.words(); ++w) raise(w, best[w] & ~cube_[w]);
    return true;
  }

  // Adds the free value that most cubes have.
  bool raise_most_common(const Cover& on) {
    size_t best = SIZE_MAX, best_count = 0;
    for (size_t bit = 0; bit < shape_.words() * kBitsOfWord; ++bit) {
      if (!Shape::has(free_, bit)) continue;
      size_t count = 1;
      for (const Word* other : on) count += other != nullptr && Shape::has(other, bit);
      if (count > best_count) {
        best = bit;
        best_count = count;
      }
    }
    if (best == SIZE_MAX) return false;
    raise(best / kBitsOfWord, Word{1} << best % kBitsOfWord);
    return true;
  }

  const Shape& shape_;
  Word* cube_;
  Cube free_;
  const Word** off_;
  size_t off_count_;
};

}  // namespace

void expand(const Cover& off, Cover* on) {
  on->sort(Cover::Order::kSmallestFirst);
  Cover primes(on->shape());
  for (size_t i = 0; i < on->size(); ++i) {
    if ((*on)[i] == nullptr) continue;
    Cube cube(on->shape(), (*on)[i]);
    on->erase(i);
    Expansion(off, cube).run(*on);
    for (size_t j = i + 1; j < on->size(); ++j) {
      if ((*on)[j] != nullptr && on->shape().contains(cube, (*on)[j])) on->erase(j);
    }
    primes.add_block(cube.release());
  }
  on->compact();
  on->take_all(&primes);
  on->absorb();
}

}  // namespace mmt::workloads::classic::espresso
