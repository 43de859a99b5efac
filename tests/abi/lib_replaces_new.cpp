// A library that replaces operator new and delete alone, for those that open or preload it.

#include "support/operator_forms.h"

void* operator new(size_t size) {
  void* block = HeadedBlocks::take(size);
  if (block == nullptr) throw std::bad_alloc{};
  return block;
}
void operator delete(void* block) noexcept { HeadedBlocks::give(block); }

extern "C" HeadedCounts* counts_of_library() { return &headed_counts; }
extern "C" void check_forms() { OperatorForms::check({&headed_counts, true, true, false, false}); }

static char* const early = new char[10];
extern "C" void free_early() { delete[] early; }
