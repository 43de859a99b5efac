#include "base/text_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>

#include "base/fail.h"
#include "base/memory.h"

namespace mmt::workloads::classic {

namespace {

constexpr std::string_view kBlanks = " \t\r\f\v";

int open_to_read(std::string_view path) {
  if (path == "-") return STDIN_FILENO;
  char name[PATH_MAX];
  if (path.size() >= sizeof name) bad_input("the file name is too long");
  std::memcpy(name, path.data(), path.size());
  name[path.size()] = '\0';
  int file = ::open(name, O_RDONLY | O_CLOEXEC);
  if (file < 0) bad_input("cannot read %s: %s", name, std::strerror(errno));
  return file;
}

}  // namespace

TextFile::TextFile(std::string_view path) {
  int file = open_to_read(path);
  size_t capacity = 4096;
  text_ = allocate_array<char>(capacity);
  for (;;) {
    if (size_ == capacity) {
      capacity *= 2;
      char* larger = allocate_array<char>(capacity);
      std::memcpy(larger, text_, size_);
      std::free(text_);
      text_ = larger;
    }
    ssize_t got = ::read(file, text_ + size_, capacity - size_);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      bad_input("cannot read %.*s: %s", static_cast<int>(path.size()), path.data(),
                std::strerror(errno));
    }
    if (got == 0) break;
    size_ += static_cast<size_t>(got);
  }
  if (file != STDIN_FILENO) ::close(file);
}

TextFile::~TextFile() { std::free(text_); }

bool TextFile::next_line(std::string_view* line) {
  if (position_ == size_) return false;
  std::string_view rest(text_ + position_, size_ - position_);
  size_t length = rest.find('\n');
  *line = rest.substr(0, length);
  position_ += length == std::string_view::npos ? rest.size() : length + 1;
  ++line_number_;
  return true;
}

std::string_view take_word(std::string_view* text) {
  size_t start = text->find_first_not_of(kBlanks);
  if (start == std::string_view::npos) {
    *text = {};
    return {};
  }
  text->remove_prefix(start);
  std::string_view word = text->substr(0, text->find_first_of(kBlanks));
  text->remove_prefix(word.size());
  return word;
}

}  // namespace mmt::workloads::classic
