#include "lrusim/trace.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>

#include "base/fail.h"
#include "base/text_file.h"

namespace mmt::workloads::classic::lrusim {

namespace {

constexpr uint64_t kBaseAddress = 0x10000000;
constexpr uint64_t kMaxSet = 300;

}  // namespace

TraceFile::TraceFile(std::string_view path) : file_(STDIN_FILENO) {
  if (path.size() >= sizeof path_) bad_input("the name of the trace is too long");
  std::memcpy(path_, path.data(), path.size());
  path_[path.size()] = '\0';
  if (path != "-") file_ = ::open(path_, O_RDONLY | O_CLOEXEC);
  if (file_ < 0) bad_input("cannot read %s: %s", path_, std::strerror(errno));
}

TraceFile::~TraceFile() {
  if (file_ != STDIN_FILENO) ::close(file_);
}

bool TraceFile::next_line(std::string_view* line) {
  for (;;) {
    std::string_view rest(buffer_ + start_, end_ - start_);
    size_t length = rest.find('\n');
    if (length != std::string_view::npos || (at_end_ && !rest.empty())) {
      *line = rest.substr(0, length);
      start_ = std::min(end_, start_ + line->size() + 1);
      ++line_;
      return true;
    }
    if (at_end_) return false;
    std::memmove(buffer_, buffer_ + start_, rest.size());
    start_ = 0;
    end_ = rest.size();
    if (end_ == sizeof buffer_) bad_input("%s:%zu: the line is too long", path_, line_ + 1);
    ssize_t got = ::read(file_, buffer_ + end_, sizeof buffer_ - end_);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) bad_input("cannot read %s: %s", path_, std::strerror(errno));
    at_end_ = got == 0;
    end_ += static_cast<size_t>(got);
  }
}

uint64_t TraceFile::parse(std::string_view word) const {
  std::string_view digits = word;
  if (digits.starts_with("0x") || digits.starts_with("0X")) digits.remove_prefix(2);
  uint64_t address = 0;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), address, 16);
  if (digits.empty() || error != std::errc() || end != digits.data() + digits.size()) {
    bad_input("%s:%zu: '%.*s' is not an address", path_, line_,
              static_cast<int>(std::min<size_t>(word.size(), 40)), word.data());
  }
  return address;
}

bool TraceFile::next(uint64_t* address) {
  std::string_view line;
  while (next_line(&line)) {
    size_t comment = line.find('#');
    if (comment != std::string_view::npos) line.remove_suffix(line.size() - comment);
    std::string_view first = take_word(&line);
    if (first.empty()) continue;
    std::string_view second = take_word(&line);
    if (!take_word(&line).empty()) bad_input("%s:%zu: more than two words", path_, line_);
    *address = parse(second.empty() ? first : second);
    return true;
  }
  return false;
}

bool Generator::next(uint64_t* address) {
  if (done_ == recipe_.references) return false;
  uint64_t offset = rng_.below(recipe_.page_bytes);
  *address = kBaseAddress + pick_page() * recipe_.page_bytes + offset;
  ++done_;
  return true;
}

uint64_t Generator::pick_page() {
  // Page k is due at reference k * references / pages.
  bool due =
      touched_ < recipe_.pages && static_cast<unsigned __int128>(touched_) * recipe_.references <=
                                      static_cast<unsigned __int128>(done_) * recipe_.pages;
  if (due) return touched_++;
  uint64_t draw = rng_.below(1000);
  if (draw < 1) {
    set_size_ = 1 + rng_.below(std::min(touched_, kMaxSet));
    set_start_ = rng_.below(touched_ - set_size_ + 1);
  }
  if (draw < 850) {
    // The smaller of two draws: the front of the set is used more.
    return set_start_ + std::min(rng_.below(set_size_), rng_.below(set_size_));
  }
  if (draw < 970) return sweep_ = (sweep_ + 1) % touched_;
  return rng_.below(touched_);
}

}  // namespace mmt::workloads::classic::lrusim
