// Removal of cubes that the others make superfluous.
#include "espresso/recursion.h"
#include "espresso/steps.h"

namespace mmt::workloads::classic::espresso {

void make_irredundant(const Cover& dont_care, Cover* on) {
  // What no other cube covers must stay; what those that stay cover need not.
  on->sort(Cover::Order::kSmallestFirst);
  Cover needed(on->shape());
  for (const Word* cube : *on) {
    if (!covers(*on, dont_care, cube, cube)) needed.add_copy(cube);
  }
  size_t next = 0;  // `needed` is in the order of `on`.
  for (size_t i = 0; i < on->size(); ++i) {
    if (next < needed.size() && on->shape().equal(needed[next], (*on)[i])) {
      ++next;
    } else if (covers(needed, dont_care, (*on)[i])) {
      on->erase(i);
    }
  }
  on->compact();
  // The smallest of the rest go first if the others that are left cover them.
  for (size_t i = 0; i < on->size(); ++i) {
    if (covers(*on, dont_care, (*on)[i], (*on)[i])) on->erase(i);
  }
  on->compact();
}

}  // namespace mmt::workloads::classic::espresso
