// Composing LD_PRELOAD.
#include "cli/preload.h"

#include <algorithm>

#include <fmt/format.h>

#include "cli/failure.h"

namespace mmt::cli {

std::string prepend_preload(const std::string& library, std::string_view current) {
  constexpr std::string_view kSeparators = " :";
  if (library.find_first_of(" :$\t\n") != std::string::npos) {
    throw Failure(kRunFailed,
                  fmt::format("cannot preload '{}': LD_PRELOAD knows no path with a space, a colon "
                              "or a '$' in it; point MMT_LIBRARY to a copy elsewhere",
                              library));
  }
  std::string list = library;
  while (!current.empty()) {
    const std::size_t end = std::min(current.find_first_of(kSeparators), current.size());
    const std::string_view one = current.substr(0, end);
    if (!one.empty() && one != library) list.append(":").append(one);
    current.remove_prefix(std::min(end + 1, current.size()));
  }
  return list;
}

}  // namespace mmt::cli
