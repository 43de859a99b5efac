// C++ thread_local objects whose destructors allocate and free, on threads and on main.

#include <pthread.h>

#include <string>
#include <vector>

#include "support/expect.h"

namespace {

struct Inner {
  std::vector<std::string> words;
  ~Inner() {
    for (auto& w : words) EXPECT(w.size() == 100);
    std::string s(5000, 'x');
    const char* bytes = s.data();
    OPAQUE(bytes);
  }
};
struct Outer {
  std::string text = std::string(1000, 't');
  ~Outer();
};
thread_local Inner inner;
thread_local Outer outer;
int ended = 0;

// Touches another thread_local object, which may be created anew here.
Outer::~Outer() {
  inner.words.emplace_back(100, 'o');
  EXPECT(text.size() == 1000);
  __atomic_add_fetch(&ended, 1, __ATOMIC_RELAXED);
}

void* work(void*) {
  EXPECT(!outer.text.empty());
  for (int i = 0; i < 100; ++i) inner.words.emplace_back(100, 'w');
  return nullptr;
}

}  // namespace

int main() {
  for (int round = 0; round < 100; ++round) {
    pthread_t threads[8];
    for (auto& t : threads) EXPECT(pthread_create(&t, nullptr, work, nullptr) == 0);
    for (auto& t : threads) pthread_join(t, nullptr);
  }
  EXPECT(ended == 800, "%d", ended);
  work(nullptr);
  return 0;
}
