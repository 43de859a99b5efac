// C++ exceptions while allocating: nested, from constructors in the middle of an array, carried to
// other threads, with handlers that allocate.

#include <pthread.h>

#include <exception>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "support/expect.h"

namespace {

int living = 0;

struct Fragile {
  std::string text = std::string(80, 'f');
  explicit Fragile(int n = ++living) {
    if (n % 97 == 0) {
      --living;
      throw std::runtime_error(std::string(300, 'e'));
    }
  }
  ~Fragile() { --living; }
};

void nested(int depth) {
  std::vector<std::string> kept(10, std::string(100, 'k'));
  try {
    if (depth == 0) throw std::runtime_error(std::string(5000, 'd'));
    nested(depth - 1);
  } catch (const std::exception&) {
    std::string more(1000, 'm');
    std::throw_with_nested(std::logic_error(more));
  }
}

int depth_of(const std::exception& e) {
  try {
    std::rethrow_if_nested(e);
  } catch (const std::exception& inner) {
    return 1 + depth_of(inner);
  }
  return 1;
}

void work() {
  for (int i = 0; i < 300; ++i) {
    try {
      nested(12);
      EXPECT(false);
    } catch (const std::exception& e) {
      EXPECT(depth_of(e) == 14);
    }
  }
}

}  // namespace

int main() {
  for (int i = 0; i < 300; ++i) {
    try {
      auto* p = new Fragile[200];
      delete[] p;
    } catch (const std::runtime_error& e) {
      EXPECT(strlen(e.what()) == 300);
    }
    EXPECT(living == 0);
    living = 0;
  }
  std::exception_ptr carried;
  std::thread([&carried] {
    try {
      throw std::string(100000, 'c');
    } catch (...) {
      carried = std::current_exception();
    }
  }).join();
  try {
    std::rethrow_exception(carried);
  } catch (const std::string& s) {
    EXPECT(s.size() == 100000);
  }
  carried = nullptr;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) threads.emplace_back(work);
  for (auto& t : threads) t.join();
  return 0;
}
