// Tokens of a script's line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace mmt::workloads::classic::lindsay {

struct Token {
  enum class Kind : uint8_t { kEnd, kName, kNumber, kSymbol };
  Kind kind = Kind::kEnd;
  std::string_view text;
  int64_t number = 0;

  bool is(std::string_view symbol) const { return kind != Kind::kEnd && text == symbol; }
};

// Ends the program: bad input, with the place.
[[noreturn]] void mistake(const char* script, size_t line, const char* what,
                          std::string_view text = {});

class Lexer {
 public:
  Lexer(const char* script, size_t line, std::string_view text);

  const Token& current() const { return current_; }
  // Returns the current token and goes on to the next.
  Token take();
  // Goes on if the current token is this one.
  bool take_if(std::string_view text);
  [[noreturn]] void mistake(const char* what) const;
  size_t line() const { return line_; }

 private:
  void scan();

  const char* script_;
  size_t line_;
  std::string_view rest_;
  Token current_;
};

}  // namespace mmt::workloads::classic::lindsay
