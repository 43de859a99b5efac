#pragma once
// The lines of a file, which may be compressed by gzip or zstd.
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace mmt::tracefile {

// The text is at fault, not the system that reads it.
class FaultyText : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Lines {
 public:
  // Throws std::runtime_error that names the file, as next() does.
  explicit Lines(const std::string& path);
  ~Lines();

  // It comes without its end, and stays until the next call. False: there is none. What it holds is
  // bounded by the longest line, 1 MiB, and the window of a zstd frame, 128 MiB at most.
  bool next(std::string_view& line);
  // The same of a text whose writer ends each line: fails at a last line without its end.
  bool next_ended(std::string_view& line);
  // Whether there was one at all.
  bool had_any() const { return number_ != 0; }
  // The last line was one that only a single format has.
  void recognize() { is_recognized_ = true; }
  bool is_recognized() const { return is_recognized_; }
  // What is wrong in the line that was given last, as FaultyText.
  [[noreturn]] void fail(const std::string& what) const;

 private:
  class Source;
  class PlainSource;
  class GzipSource;
  class ZstdSource;

  bool fill();

  std::string path_;
  std::unique_ptr<Source> source_;
  std::string buffer_;
  size_t at_ = 0;
  uint64_t number_ = 0;
  bool is_ended_ = true;  // the last one
  bool is_recognized_ = false;
};

// What an error says of text: its beginning, in quotes. Behind a zero no error would go on.
std::string quoted(std::string_view text);

}  // namespace mmt::tracefile
