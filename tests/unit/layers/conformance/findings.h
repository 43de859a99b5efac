// What a check has found wrong, in words. Checks say it here rather than to the test framework, so
// that they are compiled once and can themselves be tested on faulty heaps.
#pragma once

#include <cstdarg>
#include <cstddef>
#include <string>
#include <utility>

namespace mmt::layers::conformance {

class Findings {
 public:
  // Returns the condition. The text is printf's.
  bool expect(bool condition, const char* format, ...) __attribute__((format(printf, 3, 4)));
  void add(const char* format, ...) __attribute__((format(printf, 2, 3)));

  // What is being tried, put before what follows.
  void set_context(std::string context) { context_ = std::move(context); }
  bool is_empty() const { return count_ == 0; }
  // Enough was found for the rest to be worthless.
  bool is_full() const { return count_ >= kMost; }
  const std::string& text() const { return text_; }

 private:
  static constexpr size_t kMost = 8;

  void put(const char* format, va_list arguments);

  std::string context_;
  std::string text_;
  size_t count_ = 0;
};

}  // namespace mmt::layers::conformance
