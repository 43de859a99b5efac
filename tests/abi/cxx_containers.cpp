// C++ containers, strings, exceptions and shared pointers on many threads: what real programs do.

#include <map>
#include <memory>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "support/expect.h"

namespace {

void work(unsigned id) {
  std::map<std::string, std::vector<int>> ordered;
  std::unordered_map<int, std::shared_ptr<std::string>> hashed;
  for (int i = 0; i < 20000; ++i) {
    int key = static_cast<int>((i * 7919u + id) % 5000);
    ordered[std::to_string(key)].push_back(i);
    hashed[key] = std::make_shared<std::string>(static_cast<size_t>(key % 300), 'a');
    if (i % 100 == 0) {
      try {
        throw std::string(200, 'e');
      } catch (const std::string& e) {
        EXPECT(e.size() == 200);
      }
    }
  }
  size_t total = 0;
  for (const auto& [key, values] : ordered) total += values.size();
  EXPECT(total == 20000);
  for (const auto& [key, text] : hashed) EXPECT(text->size() == static_cast<size_t>(key % 300));
}

}  // namespace

int main() {
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 6; ++t) threads.emplace_back(work, t);
  for (auto& t : threads) t.join();
  return 0;
}
