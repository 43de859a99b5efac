// JSON that others wrote, of which nothing is taken for granted.
#pragma once

#include <cstddef>
#include <string>

#include <nlohmann/json.hpp>

namespace mmt::command {

// Throws std::runtime_error that names the file, the line and what is wrong there. The text is
// wrong where it is no JSON, or where an object has a key twice. Lists and objects within each
// other may be kDeepestJson deep at most. The text's first line is the file's `first_line`.
nlohmann::ordered_json json_of(const std::string& text, const std::string& path,
                               std::size_t first_line = 1);

inline constexpr int kDeepestJson = 64;

}  // namespace mmt::command
