// Whether cubes cover everything, which is also how one cover is proved to lie inside another.
#include <algorithm>

#include "espresso/census.h"
#include "espresso/recursion.h"

namespace mmt::workloads::classic::espresso {

bool is_tautology(const Cofactor& cofactor) {
  const Shape& shape = cofactor.shape();
  if (cofactor.has_full()) return true;
  if (cofactor.size() < 2) return false;
  bool reduce;
  size_t variable;
  Word first[Shape::kMaxWords];
  Word second[Shape::kMaxWords];
  {
    Census census(cofactor);
    if (census.lacks_a_value() || !census.any_binate()) return false;
    reduce = census.any_unate();
    if (reduce) {
      std::copy(census.unate(), census.unate() + shape.words(), first);
    } else {
      census.split(&variable, first, second);
    }
  }
  // Where the value that all active cubes of a unate variable lack is taken, the others must cover.
  if (reduce) return is_tautology(Cofactor(cofactor, Cofactor::Having{first}));
  return is_tautology(Cofactor(cofactor, variable, first)) &&
         is_tautology(Cofactor(cofactor, variable, second));
}

bool covers(const Cover& cover, const Cover& also, const Word* cube, const Word* except) {
  Cofactor cofactor(cover.shape(), cover.size() + also.size(), cube);
  cofactor.add(cover, except);
  cofactor.add(also);
  return is_tautology(cofactor);
}

}  // namespace mmt::workloads::classic::espresso
