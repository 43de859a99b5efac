// Text output without stdio's buffer, which would come from the heap that is measured.
#pragma once

#include <cstddef>

namespace mmt::workloads::classic {

class Output {
 public:
  // To a file descriptor that is open for writing, and stays so.
  explicit Output(int file = 1) : file_(file) {}
  ~Output() { flush(); }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  // At most kLongest characters; a longer text is a programming error and ends the program.
  [[gnu::format(printf, 2, 3)]] void print(const char* format, ...);
  // Ends the program with status 1 when the file takes no more.
  void flush();

  static constexpr size_t kLongest = 4096;

 private:
  int file_;
  char text_[4 * kLongest];
  size_t size_ = 0;
};

}  // namespace mmt::workloads::classic
