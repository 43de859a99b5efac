// Arguments, variables and paths are any bytes, texts of JSON are UTF-8. Between this program and
// the laboratory, a text may have a character for each byte instead, up to U+00FF.
#pragma once

#include <string>

namespace mmt::cli {

std::string text_of_bytes(const std::string& bytes);

// Throws a Failure (kUsage) where a character stands for no byte.
std::string bytes_of_text(const std::string& utf8);

}  // namespace mmt::cli
