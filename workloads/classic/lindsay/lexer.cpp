#include "lindsay/lexer.h"

#include <charconv>

#include "base/fail.h"

namespace mmt::workloads::classic::lindsay {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

}  // namespace

void mistake(const char* script, size_t line, const char* what, std::string_view text) {
  bad_input("%s:%zu: %s%s%.*s%s", script, line, what, text.empty() ? "" : " '",
            static_cast<int>(text.size()), text.data(), text.empty() ? "" : "'");
}

Lexer::Lexer(const char* script, size_t line, std::string_view text)
    : script_(script), line_(line), rest_(text) {
  scan();
}

void Lexer::mistake(const char* what) const {
  lindsay::mistake(script_, line_, what,
                   current_.kind == Token::Kind::kEnd ? "end of line" : current_.text);
}

Token Lexer::take() {
  Token taken = current_;
  scan();
  return taken;
}

bool Lexer::take_if(std::string_view text) {
  if (!current_.is(text)) return false;
  scan();
  return true;
}

void Lexer::scan() {
  while (!rest_.empty() &&
         (rest_.front() == ' ' || rest_.front() == '\t' || rest_.front() == '\r')) {
    rest_.remove_prefix(1);
  }
  current_ = {};
  if (rest_.empty() || rest_.front() == '#') return;
  size_t length = 1;
  if (is_digit(rest_.front())) {
    current_.kind = Token::Kind::kNumber;
    auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), current_.number);
    length = static_cast<size_t>(end - rest_.data());
    if (error != std::errc()) lindsay::mistake(script_, line_, "the number is too large");
  } else if (is_letter(rest_.front())) {
    current_.kind = Token::Kind::kName;
    while (length < rest_.size() && (is_letter(rest_[length]) || is_digit(rest_[length]))) ++length;
  } else {
    current_.kind = Token::Kind::kSymbol;
    static constexpr std::string_view kPairs[] = {"<<", ">>", "<=", ">=", "==", "!=", "&&", "||"};
    for (std::string_view pair : kPairs) {
      if (rest_.starts_with(pair)) length = 2;
    }
  }
  current_.text = rest_.substr(0, length);
  rest_.remove_prefix(length);
}

}  // namespace mmt::workloads::classic::lindsay
