// Composing LD_PRELOAD.
#include "programs/preload.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "command/failure.h"

namespace mmt::programs {

using command::Failure;
using command::kRunFailed;

namespace {

std::vector<std::string_view> entries(std::string_view list) {
  std::vector<std::string_view> all;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find_first_of(" :"), list.size());
    if (end != 0) all.push_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return all;
}

}  // namespace

void check_preloadable(const std::string& library, std::string_view remedy) {
  if (library.find_first_of(" :$\t\n") == std::string::npos) return;
  throw Failure(kRunFailed,
                fmt::format("cannot preload '{}': LD_PRELOAD knows no path with a space, a colon "
                            "or a '$' in it; {}",
                            library, remedy));
}

std::string without_preloads(std::string_view current, std::string_view libraries) {
  const std::vector<std::string_view> left_out = entries(libraries);
  std::string list;
  for (const std::string_view one : entries(current)) {
    if (std::find(left_out.begin(), left_out.end(), one) != left_out.end()) continue;
    list.append(list.empty() ? "" : ":").append(one);
  }
  return list;
}

std::string prepend_preloads(std::string_view libraries, std::string_view current) {
  const std::string rest = without_preloads(current, libraries);
  return fmt::format("{}{}{}", libraries, rest.empty() ? "" : ":", rest);
}

}  // namespace mmt::programs
