#include "tracefile/import/lines.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <new>
#include <vector>

#include "tracefile/memory_bound.h"

extern char** environ;

namespace mmt::tracefile {
namespace {

constexpr size_t kPiece = 1 << 16;
// A longer line is of no text.
constexpr size_t kLongestLine = 1 << 20;

// A window takes at most a quarter of what there may be.
int longest_window() {
  constexpr int kMost = 27;  // zstd's own, log2
  constexpr int kLeast = 10;
  const uint64_t bound = MemoryBound::bytes();
  if (bound == 0) return kMost;
  return std::clamp(static_cast<int>(std::bit_width(bound)) - 3, kLeast, kMost);
}

[[noreturn]] void cannot_read(const std::string& path, const std::string& why) {
  throw std::runtime_error("cannot read '" + path + "': " + why);
}

[[noreturn]] void is_damaged(const std::string& path, const std::string& why) {
  throw FaultyText("cannot read '" + path + "': " + why);
}

int opened(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) cannot_read(path, std::strerror(errno));
  return descriptor;
}

bool begins_with(const std::string& path, std::string_view magic) {
  const int descriptor = opened(path);
  std::string start(magic.size(), '\0');
  const ssize_t got = ::pread(descriptor, start.data(), start.size(), 0);
  ::close(descriptor);
  return got == static_cast<ssize_t>(start.size()) && start == magic;
}

}  // namespace

class Lines::Source {
 public:
  explicit Source(std::string path) : path_(std::move(path)) {}
  virtual ~Source() = default;
  // Appends the next bytes; false: the end.
  virtual bool append_to(std::string& buffer) = 0;

 protected:
  const std::string& path() const { return path_; }
  // 0: the end.
  size_t read(int descriptor, char* to, size_t size) const {
    ssize_t got = 0;
    do {
      got = ::read(descriptor, to, size);
    } while (got < 0 && errno == EINTR);
    if (got < 0) cannot_read(path_, std::strerror(errno));
    return static_cast<size_t>(got);
  }

 private:
  std::string path_;
};

class Lines::PlainSource : public Lines::Source {
 public:
  explicit PlainSource(const std::string& path) : Source(path), descriptor_(opened(path)) {}
  ~PlainSource() override { ::close(descriptor_); }
  bool append_to(std::string& buffer) override {
    std::array<char, kPiece> piece;
    const size_t got = read(descriptor_, piece.data(), piece.size());
    buffer.append(piece.data(), got);
    return got != 0;
  }

 private:
  int descriptor_;
};

// Through the program gzip, which every system has.
class Lines::GzipSource : public Lines::Source {
 public:
  explicit GzipSource(const std::string& path) : Source(path) {
    std::array<int, 2> ends;
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) cannot_read(path, std::strerror(errno));
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, path.c_str(), O_RDONLY, 0);
    std::string name = "gzip";
    std::string flags = "-dc";
    char* const arguments[] = {name.data(), flags.data(), nullptr};
    const int error = ::posix_spawnp(&process_, "gzip", &actions, nullptr, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    descriptor_ = ends[0];
    if (error != 0) {
      process_ = 0;
      ::close(descriptor_);
      cannot_read(path, std::string("cannot start gzip: ") + std::strerror(error));
    }
  }
  ~GzipSource() override {
    ::close(descriptor_);
    wait();
  }
  bool append_to(std::string& buffer) override {
    std::array<char, kPiece> piece;
    const size_t got = read(descriptor_, piece.data(), piece.size());
    buffer.append(piece.data(), got);
    if (got == 0 && wait() != 0) is_damaged(path(), "gzip finds it damaged");
    return got != 0;
  }

 private:
  int wait() {
    int status = 0;
    if (process_ != 0) ::waitpid(process_, &status, 0);
    process_ = 0;
    return status;
  }

  pid_t process_ = 0;
  int descriptor_ = -1;
};

class Lines::ZstdSource : public Lines::Source {
 public:
  explicit ZstdSource(const std::string& path)
      : Source(path), descriptor_(opened(path)), context_(ZSTD_createDCtx()), packed_(kPiece) {
    if (context_ == nullptr) throw std::bad_alloc();
    ZSTD_DCtx_setParameter(context_, ZSTD_d_windowLogMax, longest_window());
  }
  ~ZstdSource() override {
    ZSTD_freeDCtx(context_);
    ::close(descriptor_);
  }
  bool append_to(std::string& buffer) override {
    if (input_.pos == input_.size) {
      input_ = {packed_.data(), read(descriptor_, packed_.data(), packed_.size()), 0};
      read_ += input_.size;
      if (input_.size == 0) {
        if (is_inside_) is_damaged(path(), "its last zstd frame ends early");
        return false;
      }
    }
    std::array<char, kPiece> piece;
    ZSTD_outBuffer output{piece.data(), piece.size(), 0};
    const size_t left = ZSTD_decompressStream(context_, &output, &input_);
    if (ZSTD_isError(left) != 0) {
      is_damaged(path(), "zstd, byte " + std::to_string(read_ - input_.size + input_.pos) + ": " +
                             ZSTD_getErrorName(left));
    }
    is_inside_ = left != 0;
    buffer.append(piece.data(), output.pos);
    return true;
  }

 private:
  int descriptor_;
  ZSTD_DCtx* context_;
  std::vector<char> packed_;
  ZSTD_inBuffer input_{nullptr, 0, 0};
  uint64_t read_ = 0;
  bool is_inside_ = false;
};

Lines::Lines(const std::string& path) : path_(path) {
  if (begins_with(path, "\x1f\x8b")) {
    source_ = std::make_unique<GzipSource>(path);
  } else if (begins_with(path, "\x28\xb5\x2f\xfd")) {
    source_ = std::make_unique<ZstdSource>(path);
  } else {
    source_ = std::make_unique<PlainSource>(path);
  }
}
Lines::~Lines() = default;

bool Lines::fill() {
  NowReading::at(path_, "line", number_ + 1);
  MemoryBound::look();
  buffer_.erase(0, at_);
  at_ = 0;
  if (buffer_.size() > kLongestLine) {
    ++number_;
    fail("the line is too long for a text");
  }
  return source_->append_to(buffer_);
}

bool Lines::next(std::string_view& line) {
  while (true) {
    const size_t end = buffer_.find('\n', at_);
    if (end != std::string::npos) {
      line = std::string_view(buffer_).substr(at_, end - at_);
      at_ = end + 1;
      break;
    }
    if (fill()) continue;
    if (buffer_.empty()) return false;
    line = buffer_;
    at_ = buffer_.size();
    is_ended_ = false;
    break;
  }
  ++number_;
  if (line.ends_with('\r')) line.remove_suffix(1);
  return true;
}

bool Lines::next_ended(std::string_view& line) {
  const bool is_there = next(line);
  if (!is_ended_) fail("it has no end of line: the file was cut short");
  return is_there;
}

std::string quoted(std::string_view text) {
  constexpr size_t kMost = 40;
  std::string all = "'";
  for (const char one : text.substr(0, kMost)) {
    if (one == '\0') {
      all += "\\x00";
    } else {
      all += one;
    }
  }
  return all + (text.size() > kMost ? "'..." : "'");
}

void Lines::fail(const std::string& what) const {
  throw FaultyText("'" + path_ + "', line " + std::to_string(number_) + ": " + what);
}

}  // namespace mmt::tracefile
