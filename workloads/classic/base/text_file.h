// A whole file in one heap block, read line by line.
#pragma once

#include <cstddef>
#include <string_view>

namespace mmt::workloads::classic {

class TextFile {
 public:
  // `-` is standard input. A file that cannot be read is bad input.
  explicit TextFile(std::string_view path);
  ~TextFile();
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;

  // The next line without its end; false after the last one. The text lives as long as the file.
  bool next_line(std::string_view* line);
  std::string_view text() const { return {text_, size_}; }
  // Number of the line last returned, from 1.
  size_t line_number() const { return line_number_; }

 private:
  char* text_ = nullptr;
  size_t size_ = 0;
  size_t position_ = 0;
  size_t line_number_ = 0;
};

// Takes the next word, up to blanks, off the front of `text`; empty when there is none.
std::string_view take_word(std::string_view* text);

}  // namespace mmt::workloads::classic
