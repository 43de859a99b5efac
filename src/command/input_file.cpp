#include "command/input_file.h"

#include <cstddef>
#include <fstream>

#include <fmt/format.h>

#include "command/failure.h"
#include "tracefile/memory_bound.h"

namespace mmt::command {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{1} << 20;
constexpr std::size_t kPieceBytes = std::size_t{64} << 10;

}  // namespace

std::string text_of_file(const std::string& path, const char* what, int status) {
  tracefile::NowReading::at(path);
  std::ifstream file(path, std::ios::binary);
  std::string text;
  while (file) {
    const std::size_t before = text.size();
    text.resize(before + kPieceBytes);
    file.read(text.data() + before, kPieceBytes);
    text.resize(before + static_cast<std::size_t>(file.gcount()));
    if (text.size() > kMaxBytes) {
      throw Failure(status, fmt::format("{} '{}' has more than 1 MiB", what, path));
    }
  }
  if (!file.eof()) throw Failure(status, fmt::format("cannot read {} '{}'", what, path));
  return text;
}

}  // namespace mmt::command
