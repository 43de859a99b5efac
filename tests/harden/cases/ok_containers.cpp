// Containers are filled and emptied.
// sizes: small page
// expect: ok
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  {
    std::map<std::string, std::vector<std::string>> all;
    for (size_t i = 0; i < n; ++i)
      for (size_t k = 0; k < i % 40; ++k) all[std::to_string(i)].emplace_back(k * 10, 'x');
    for (size_t i = 0; i < n; i += 2) all.erase(std::to_string(i));
    auto shared = std::make_shared<std::string>(n, 'x');
    auto other = shared;
  }
  return end();
}
