// Allocation in constructors and destructors of every priority, static objects, atexit and on_exit
// handlers; each phase frees blocks of the one before.
// @stdout ^atexit\ndestructor\n\Z

#include <string>
#include <vector>

#include "support/pattern.h"

namespace {

void* passed_on[64];

void hand_over(uint64_t phase) {
  for (size_t i = 0; i < 64; ++i) {
    if (passed_on[i] != nullptr) check_pattern(passed_on[i], 100 + i * 50, phase - 1);
    free(passed_on[i]);
    passed_on[i] = malloc(100 + i * 50);
    fill_pattern(passed_on[i], 100 + i * 50, phase);
  }
}

__attribute__((constructor(102))) void first() { hand_over(1); }
__attribute__((constructor(60000))) void second() { hand_over(2); }
struct Static {
  std::vector<std::string> words;
  Static() : words(100, std::string(100, 'w')) {}
  ~Static() { EXPECT(words.size() == 100 && words[99].size() == 100); }
} object;

__attribute__((destructor(102))) void last() {
  hand_over(5);
  (void)!write(1, "destructor\n", 11);
}
void at_exit() {
  hand_over(4);
  (void)!write(1, "atexit\n", 7);
}
void on_exit_handler(int status, void* block) {
  EXPECT(status == 0);
  check_pattern(block, 5000, 77);
  free(block);
}

}  // namespace

int main() {
  hand_over(3);
  void* block = malloc(5000);
  fill_pattern(block, 5000, 77);
  on_exit(on_exit_handler, block);
  // More handlers than libc keeps without allocating.
  for (int i = 0; i < 100; ++i) atexit([] { free(malloc(100)); });
  atexit(at_exit);
  return 0;
}
