// Things that are chosen by name, with a line of text.
#pragma once

#include <string>

#include <fmt/format.h>

namespace mmt::cli {

struct Named {
  std::string name;
  std::string help;
};

// "a, b, c", for messages.
template <class Range>
std::string names_of(const Range& all) {
  std::string names;
  for (const auto& one : all) names += fmt::format("{}{}", names.empty() ? "" : ", ", one.name);
  return names;
}

}  // namespace mmt::cli
