// Functions and lines at addresses of programs and libraries that a trace names. Another process
// reads the files, within the bound of memory (tracefile/memory_bound.h) and for seconds at most: a
// crafted one costs its own names alone. It is not thread-safe.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "tracing/symbol_files.h"

namespace mmt::tracing {

class Symbols {
 public:
  Symbols() = default;
  ~Symbols() { end(); }
  Symbols(const Symbols&) = delete;
  Symbols& operator=(const Symbols&) = delete;

  // As SymbolFiles::why_none().
  static std::string why_none() { return SymbolFiles().why_none(); }
  // As SymbolFiles::at(); nothing, too, of a file that took too much.
  SymbolPlace at(const std::string& path, std::uint64_t address) { return ask(path, address, ""); }
  // The same where the address is told as its distance from the file's first page in memory. That
  // page is not at zero in programs of fixed addresses.
  SymbolPlace at_distance(const std::string& path, std::uint64_t distance);

 private:
  SymbolPlace ask(const std::string& path, std::uint64_t address, std::string_view counted_from);
  bool begin();
  void end();

  pid_t reader_ = -1;
  int connection_ = -1;
  std::set<std::string> unreadable_;
};

}  // namespace mmt::tracing
