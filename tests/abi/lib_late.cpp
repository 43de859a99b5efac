// A library whose static object lives longer than main and allocates in its destructor, which runs
// after the destructors of the program.

#include <unistd.h>

#include <map>
#include <string>

namespace {

struct Late {
  std::map<std::string, std::string> entries;
  Late() {
    for (int i = 0; i < 200; ++i) entries[std::to_string(i)] = std::string(300, 'v');
  }
  ~Late() {
    for (int i = 200; i < 2000; ++i) entries[std::to_string(i)] = std::string(50, 'v');
    entries.erase("7");
    (void)!write(1, entries.size() == 1999 ? "late\n" : "bad\n", 5);
  }
} late;

}  // namespace

extern "C" void* late_allocate(unsigned long size) { return new char[size]; }
