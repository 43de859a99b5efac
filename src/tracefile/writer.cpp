#include "tracefile/writer.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "tracefile/block.h"
#include "tracefile/frame.h"
#include "tracefile/index.h"
#include "tracefile/output_file.h"

namespace mmt::tracefile {
namespace {

void append_text(std::vector<uint8_t>& to, std::string_view text) {
  append_varint(to, text.size());
  to.insert(to.end(), text.begin(), text.end());
}

// Texts of call sites in a block, about: a reader takes kLongestBlock.
constexpr size_t kMostOfSites = kLongestBlock / 8;

// Whether opening it again gives the same file. A device, a pipe and what stands behind a link such
// as /dev/stdout may be had but once.
bool can_be_opened_again(const std::string& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
         ::access(path.c_str(), W_OK) == 0;
}

}  // namespace

// Between blocks it keeps no descriptor, so that there may be more writers than those are.
class Writer::State {
 public:
  State(const std::string& path, const Header& header) : path_(path) {
    descriptor_ = open_output(path);
    if (descriptor_ < 0) fail();
    is_kept_ = !can_be_opened_again(path);
    ::fstat(descriptor_, &made_);
    std::vector<uint8_t> preamble(kMagic.begin(), kMagic.end());
    preamble.resize(kPreambleBytes);
    put_fixed(&preamble[kMagic.size()], kVersion, 4);
    write(preamble.data(), preamble.size());
    std::vector<uint8_t> content;
    append_text(content, header.program);
    append_text(content, header.source);
    append_varint(content, header.start_ns);
    append_varint(content, header.process);
    write_block(BlockKind::kHeader, content);
  }
  ~State() { close(); }

  void add(const Event& event, uint64_t ns) {
    frame_.add(event, ns);
    if (frame_.is_full()) end_frame();
  }

  uint32_t add_site(const std::string& text) {
    append_text(new_sites_, text);
    ++new_count_;
    ++sites_;
    if (new_sites_.size() >= kMostOfSites) end_sites();
    return sites_;
  }

  void finish() {
    // Behind half a block, nothing could be read.
    if (!failure_.empty()) throw std::runtime_error(failure_);
    end_frame();
    index_.end = written_;
    write_block(BlockKind::kIndex, index_.content());
    uint8_t trail[kTrailBytes];
    put_fixed(trail, index_.end, 8);
    std::memcpy(trail + 8, kTrailMagic.data(), kTrailMagic.size());
    open();
    write(trail, sizeof trail);
    close();
  }

  uint64_t events() const { return index_.events() + frame_.summary().events; }
  uint64_t objects() const { return index_.objects() + frame_.summary().births; }
  uint64_t bytes() const { return written_; }

 private:
  void end_sites() {
    if (new_count_ == 0) return;
    std::vector<uint8_t> content;
    append_varint(content, sites_ - new_count_ + 1);
    append_varint(content, new_count_);
    packer_.append(content, new_sites_.data(), new_sites_.size());
    index_.sites.push_back(written_);
    write_block(BlockKind::kSites, content);
    new_sites_.clear();
    new_count_ = 0;
  }

  // Call sites come before the events that name them.
  void end_frame() {
    end_sites();
    if (frame_.is_empty()) return;
    index_.frames.push_back({written_, frame_.summary()});
    write_block(BlockKind::kEvents, frame_.take());
  }

  void write_block(BlockKind kind, const std::vector<uint8_t>& content) {
    const auto head = BlockHead::of(kind, content).bytes();
    open();
    write(head.data(), head.size());
    write(content.data(), content.size());
    if (!is_kept_) close();
  }

  void open() {
    if (!failure_.empty()) throw std::runtime_error(failure_);
    if (descriptor_ >= 0) return;
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (descriptor_ < 0) fail();
    struct stat status {};
    if (::fstat(descriptor_, &status) == 0 && status.st_ino == made_.st_ino &&
        status.st_dev == made_.st_dev) {
      return;
    }
    errno = ESTALE;  // somebody has put another file there
    fail();
  }
  void close() {
    if (descriptor_ >= 0) ::close(descriptor_);
    descriptor_ = -1;
  }

  void write(const uint8_t* bytes, size_t size) {
    while (size != 0) {
      const ssize_t done = ::write(descriptor_, bytes, size);
      if (done < 0 && errno == EINTR) continue;
      if (done < 0) fail();
      bytes += done;
      size -= static_cast<size_t>(done);
      written_ += static_cast<uint64_t>(done);
    }
  }

  [[noreturn]] void fail() {
    failure_ = "cannot write '" + path_ + "': " + std::strerror(errno);
    throw std::runtime_error(failure_);
  }

  std::string path_;
  int descriptor_ = -1;  // of an open file
  bool is_kept_ = false;
  struct stat made_ {};  // the file, told from others by its number
  std::string failure_;  // empty: none
  uint64_t written_ = 0;
  FrameEncoder frame_;
  Index index_;
  Packer packer_;
  std::vector<uint8_t> new_sites_;  // not yet in the file
  uint32_t new_count_ = 0;
  uint32_t sites_ = 0;
};

Writer::Writer(const std::string& path, const Header& header)
    : state_(std::make_unique<State>(path, header)) {}
Writer::Writer(Writer&&) noexcept = default;
Writer::~Writer() = default;

void Writer::add(const Event& event, uint64_t ns) { state_->add(event, ns); }
uint32_t Writer::add_site(const std::string& text) { return state_->add_site(text); }
void Writer::finish() { state_->finish(); }
uint64_t Writer::events() const { return state_->events(); }
uint64_t Writer::objects() const { return state_->objects(); }
uint64_t Writer::bytes() const { return state_->bytes(); }

}  // namespace mmt::tracefile
