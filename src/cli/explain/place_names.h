// Functions and lines of the places in reports, looked up in the files that the reports name.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "cli/explain/heap_report.h"
#include "tracing/symbols.h"

namespace mmt::cli {

class PlaceNames {
 public:
  // Reports from now on were written by then, in seconds since 1970; files may have changed since.
  // nullopt: they are of this very moment.
  void set_written(std::optional<time_t> when) { written_ = when; }

  // `is_call`: the address is where a call returns to.
  void find(CodePlace& place, bool is_call);

  // Why something is not known; "": all is.
  std::string why_none() const;

 private:
  struct Module {
    std::string why_none;  // "": it can be asked
    time_t changed = 0;
  };

  const Module& module_of(const std::string& path);
  // Why the place's module cannot be asked; "": it can.
  std::string why_not_asked(const CodePlace& place);
  void miss(const std::string& path, const std::string& why);

  tracing::Symbols symbols_;
  std::optional<time_t> written_;
  std::map<std::string, Module> modules_;  // by path
  std::map<std::pair<std::string, std::uint64_t>, tracing::SymbolPlace>
      seen_;                      // by path and address
  std::set<std::string> missed_;  // paths of which something is not known
  std::string why_;               // of the first of them
};

}  // namespace mmt::cli
