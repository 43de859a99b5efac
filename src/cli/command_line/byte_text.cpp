#include "cli/command_line/byte_text.h"

#include <cstddef>

#include "command/failure.h"

namespace mmt::cli {

using command::Failure;
using command::kUsage;

std::string text_of_bytes(const std::string& bytes) {
  std::string utf8;
  for (const char one : bytes) {
    const auto byte = static_cast<unsigned char>(one);
    if (byte < 0x80) {
      utf8 += one;
    } else {
      utf8 += static_cast<char>(0xC0 | byte >> 6);
      utf8 += static_cast<char>(0x80 | (byte & 0x3F));
    }
  }
  return utf8;
}

std::string bytes_of_text(const std::string& utf8) {
  std::string bytes;
  for (std::size_t i = 0; i < utf8.size(); ++i) {
    const auto first = static_cast<unsigned char>(utf8[i]);
    if (first < 0x80) {
      bytes += utf8[i];
    } else if (first <= 0xC3 && i + 1 < utf8.size()) {
      const auto second = static_cast<unsigned char>(utf8[++i]);
      bytes += static_cast<char>(((first & 0x03) << 6) | (second & 0x3F));
    } else {
      throw Failure(kUsage, "a character of a text stands for no byte");
    }
  }
  return bytes;
}

}  // namespace mmt::cli
