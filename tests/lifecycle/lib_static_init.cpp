// A C++ library that allocates in static initialisers and in thread_local objects; opened and
// closed by dlopen_close.cpp.

#include <map>
#include <string>
#include <vector>

namespace {

std::map<int, std::string> table = [] {
  std::map<int, std::string> m;
  for (int i = 0; i < 500; ++i) m[i] = std::string(static_cast<size_t>(i), 'x');
  return m;
}();
thread_local std::vector<int> scratch(1000);

}  // namespace

extern "C" size_t use_library(int key) {
  scratch.push_back(key);
  return table.at(key).size() + scratch.size() - scratch.size();
}
