// Functions and lines at addresses of programs and libraries, by libdw of elfutils. It is loaded
// when first asked for: nothing else needs it. Files may be crafted: libdw takes what memory they
// ask for, and ends the process where there is none. So ask Symbols, which has it done elsewhere.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace mmt::tracing {

struct SymbolPlace {
  std::string function;  // as in the source; "": not known
  std::string file;      // a path; "": not known, as without debug information
  int line = 0;
};

class SymbolFiles {
 public:
  SymbolFiles();
  ~SymbolFiles();

  // Why nothing can be known of any file; "": it can.
  std::string why_none() const;
  // Takes an address as it stands in the file, within an instruction. Returns nothing where the
  // file cannot be read.
  SymbolPlace at(const std::string& path, std::uint64_t address);

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace mmt::tracing
