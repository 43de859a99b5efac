// A program may replace operator new and delete alone, with a header before each block. The array,
// sized and nothrow forms end in the replacements, also from before main and in the C++ runtime's
// own code.

#include <string>
#include <thread>
#include <vector>

#include "support/operator_forms.h"

void* operator new(size_t size) {
  void* block = HeadedBlocks::take(size);
  if (block == nullptr) throw std::bad_alloc{};
  return block;
}
void operator delete(void* block) noexcept { HeadedBlocks::give(block); }

static std::vector<std::string> early(100, std::string(100, 'e'));

int main() {
  EXPECT(headed_counts.taken >= 101, "%ld", headed_counts.taken);
  OperatorForms::check({&headed_counts, true, true, false, false});
  early.clear();
  early.shrink_to_fit();
  std::string text;
  for (int i = 0; i < 1000; ++i) text += std::to_string(i);
  std::thread([] { delete new std::string(200, 't'); }).join();
  try {
    throw text;
  } catch (const std::string& caught) {
    EXPECT(caught == text);
  }
  return 0;
}
