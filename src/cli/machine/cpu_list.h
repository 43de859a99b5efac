// Lists of CPUs as taskset(1) and the kernel write them: "0", "0-3", "0,2-3".
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace mmt::cli {

// nullopt when the text is malformed, names a CPU above 1023 or a range that runs backwards.
// An empty text is an empty list.
std::optional<std::vector<int>> parse_cpu_list(std::string_view text);

}  // namespace mmt::cli
