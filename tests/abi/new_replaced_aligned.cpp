// A program may replace the aligned operator new and delete alone. Their array, sized and nothrow
// forms end in the replacements. The forms without an alignment end where they would without the
// replacements.

#include "support/operator_forms.h"

void* operator new(size_t size, std::align_val_t alignment) {
  void* block = HeadedBlocks::take(size, static_cast<size_t>(alignment));
  if (block == nullptr) throw std::bad_alloc{};
  return block;
}
void operator delete(void* block, std::align_val_t) noexcept { HeadedBlocks::give(block); }

int main() {
  OperatorForms::check({&headed_counts, false, false, true, true});
  return 0;
}
