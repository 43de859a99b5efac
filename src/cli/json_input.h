// JSON that others wrote, of which nothing is taken for granted.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace mmt::cli {

// Throws std::runtime_error that names the file, the line and what is wrong there: no JSON, a key
// that an object has twice, lists and objects within each other more than kDeepestJson times.
nlohmann::ordered_json json_of(const std::string& text, const std::string& path);

inline constexpr int kDeepestJson = 64;

}  // namespace mmt::cli
