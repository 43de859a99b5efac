// Call sites of a trace as people read them: "main (m.c:3) m+0x1154". The trace has but the path
// and the offset; functions and lines are looked up in the file, unless it has changed since.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "tracefile/reader.h"
#include "tracing/symbols.h"

namespace mmt::tracing {

class SiteNames {
 public:
  explicit SiteNames(const tracefile::Reader& reader) : reader_(reader) {}

  // "" where the trace does not have it. Stays.
  const std::string& of(std::uint32_t site);
  // Why no function is known; "": it is, or the trace has call sites without files.
  std::string why_none() const;

 private:
  std::string name_of(const std::string& text);
  bool is_as_recorded(const std::string& path);

  const tracefile::Reader& reader_;
  Symbols symbols_;
  std::map<std::uint32_t, std::string> names_;
  std::map<std::string, bool> is_as_recorded_;  // by path
  std::string changed_;                         // a file that has changed
  bool has_asked_ = false;
};

}  // namespace mmt::tracing
