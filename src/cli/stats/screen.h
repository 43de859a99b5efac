// Text that is shown again and again: drawn in place at a terminal, one after the other elsewhere.
#pragma once

#include <cstddef>
#include <string>

namespace mmt::cli {

// The lines of `text` that fit a window, each cut to its columns; the last line says how many do
// not. Each ends by clearing what stood there before, and so does the whole.
std::string frame_of(const std::string& text, std::size_t rows, std::size_t columns);

class Screen {
 public:
  // `is_repeated`: text will follow text, in place if standard output is a terminal, else after an
  // empty line.
  explicit Screen(bool is_repeated);

  // Throws std::system_error: it cannot be written.
  void show(const std::string& text);

 private:
  bool is_repeated_;
  bool in_place_;
  bool is_first_ = true;
};

}  // namespace mmt::cli
