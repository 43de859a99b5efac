// A program that replaces operator new[] and delete[] alone: their sized and nothrow forms end in
// these, and all others where they would without.

#include "support/operator_forms.h"

void* operator new[](size_t size) {
  void* block = HeadedBlocks::take(size);
  if (block == nullptr) throw std::bad_alloc{};
  return block;
}
void operator delete[](void* block) noexcept { HeadedBlocks::give(block); }

int main() {
  OperatorForms::check({&headed_counts, false, true, false, false});
  return 0;
}
