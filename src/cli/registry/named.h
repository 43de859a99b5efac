// Things that are chosen by name, with a line of text.
#pragma once

#include <string>
#include <vector>

#include <fmt/format.h>

#include "command/did_you_mean.h"

namespace mmt::cli {

struct Named {
  std::string name;
  std::string help;
};

template <class Range>
std::vector<std::string> names_in(const Range& all) {
  std::vector<std::string> names;
  for (const auto& one : all) names.emplace_back(one.name);
  return names;
}

// "a, b, c", for messages.
template <class Range>
std::string names_of(const Range& all) {
  return fmt::format("{}", fmt::join(names_in(all), ", "));
}

// "no heap 'lae'; did you mean 'lea'?", or what there is when none is near. `rest` follows then.
template <class Range>
std::string no_such(std::string_view kind, std::string_view name, const Range& all,
                    std::string_view rest = "") {
  const std::string meant = command::did_you_mean(name, names_in(all));
  if (!meant.empty()) return fmt::format("no {} '{}'{}", kind, name, meant);
  return fmt::format("no {} '{}'; there are {}{}", kind, name, names_of(all), rest);
}

}  // namespace mmt::cli
