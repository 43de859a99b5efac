#include "sys/linux/status_text.h"

#include <cstring>

namespace mmt::sys {

void StatusText::end_key() {
  const auto is = [this](const char* name) {
    return strlen(name) == key_size_ && memcmp(key_, name, key_size_) == 0;
  };
  in_key_ = false;
  is_groups_ = is("Groups");
  is_taken_ = is_groups_ || is("Uid") || is("Gid");
  is_state_ = is("State");
  is_name_ = is("Name");
}

void StatusText::end_line() {
  is_whole_ = is_groups_;
  in_key_ = true;
  key_size_ = 0;
  is_taken_ = is_state_ = is_groups_ = is_name_ = false;
}

// From its begin, behind the tab.
void StatusText::match_name(char c) {
  if (c == '\t' && name_matched_ == 0) return;
  if (name_matched_ < kKernelsBytes && c == kKernels[name_matched_])
    ++name_matched_;
  else
    is_name_ = false;
}

bool StatusText::read(const char* text, size_t bytes) {
  constexpr uint64_t kPrime = 1099511628211u;
  for (const char* at = text; at != text + bytes && !is_whole_; ++at) {
    if (is_taken_) hash_ = (hash_ ^ static_cast<unsigned char>(*at)) * kPrime;
    if (is_state_ && (*at == 'Z' || *at == 'X')) has_ended_ = true;
    if (is_name_) match_name(*at);
    // Only the first letter of the state counts.
    if (*at != '\t') is_state_ = false;
    if (*at == '\n')
      end_line();
    else if (in_key_ && *at == ':')
      end_key();
    else if (in_key_ && key_size_ < kKeyBytes)
      key_[key_size_++] = *at;
  }
  return !is_whole_ && !has_ended_;
}

}  // namespace mmt::sys
