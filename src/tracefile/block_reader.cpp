#include "tracefile/block_reader.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "tracefile/formats.h"
#include "tracefile/memory_bound.h"

namespace mmt::tracefile {

BlockReader::BlockReader(const std::string& path, const std::string& name)
    : path_(name.empty() ? path : name) {
  descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat status {};
  if (descriptor_ < 0 || ::fstat(descriptor_, &status) != 0) {
    const int error = errno;
    if (descriptor_ >= 0) ::close(descriptor_);
    throw std::runtime_error("cannot read '" + path + "': " + std::strerror(error));
  }
  size_ = static_cast<uint64_t>(status.st_size);
  uint8_t preamble[kPreambleBytes] = {};
  const bool is_file = S_ISREG(status.st_mode);
  const bool is_trace = is_file && read(0, preamble, sizeof preamble) == sizeof preamble &&
                        std::memcmp(preamble, kMagic.data(), kMagic.size()) == 0;
  const uint64_t version = get_fixed(preamble + kMagic.size(), 4);
  if (is_trace && version == kVersion) return;
  ::close(descriptor_);
  if (!is_file) throw std::runtime_error("'" + path + "' is no regular file, as a trace must be");
  if (!is_trace) {
    throw std::runtime_error("'" + path +
                             (size_ == 0 ? "' is no trace, it is empty: " : "' is no trace: ") +
                             what_is_read());
  }
  throw std::runtime_error("'" + path + "' is a trace of version " + std::to_string(version) +
                           "; version " + std::to_string(kVersion) + " can be read");
}

BlockReader::~BlockReader() { ::close(descriptor_); }

BlockKind BlockReader::next(std::vector<uint8_t>& content) {
  NowReading::at(path_, "byte", place_);
  uint8_t bytes[kBlockHeadBytes];
  const size_t got = read(place_, bytes, sizeof bytes);
  if (got == 0) fail(place_, "it ends early, where a block should follow");
  if (got < sizeof bytes) fail(place_, "it ends early, inside a block");
  const BlockHead head = BlockHead::from(bytes);
  if (head.size > kLongestBlock) fail(place_, "no block begins there: it is damaged");
  if (head.size > size_ - place_ - sizeof bytes) fail(place_, "it ends early, inside a block");
  content.resize(head.size);
  if (read(place_ + sizeof bytes, content.data(), head.size) != head.size) {
    fail(place_, "it ends early, inside a block");
  }
  if (head.crc_over(content.data()) != head.crc) {
    fail(place_, "the checksum of a block is wrong: it is damaged");
  }
  place_ += sizeof bytes + head.size;
  return static_cast<BlockKind>(head.kind);
}

bool BlockReader::find_index(Index& index) {
  uint8_t trail[kTrailBytes];
  if (size_ < kPreambleBytes + kBlockHeadBytes + kTrailBytes) return false;
  if (read(size_ - kTrailBytes, trail, kTrailBytes) != kTrailBytes) return false;
  if (std::memcmp(trail + 8, kTrailMagic.data(), kTrailMagic.size()) != 0) return false;
  const uint64_t place = get_fixed(trail, 8);
  if (place < kPreambleBytes || place > size_ - kTrailBytes - kBlockHeadBytes) return false;
  const uint64_t before = place_;
  std::vector<uint8_t> content;
  bool is_right = false;
  try {
    place_ = place;
    is_right = next(content) == BlockKind::kIndex && Index::from(content, place, index);
  } catch (const std::runtime_error&) {
    is_right = false;
  }
  place_ = before;
  return is_right;
}

Index BlockReader::gather_index() {
  Index index;
  const uint64_t before = place_;
  place_ = kPreambleBytes;
  std::vector<uint8_t> content;
  try {
    while (true) {
      index.end = place_;
      const BlockKind kind = next(content);
      if (kind == BlockKind::kSites) index.sites.push_back(index.end);
      if (kind != BlockKind::kEvents) continue;
      VarintReader from(content.data(), content.size());
      const FrameSummary summary = take_summary(from);
      if (!from.is_whole() || !index.is_next(summary)) break;
      index.frames.push_back({index.end, summary});
    }
  } catch (const std::runtime_error&) {  // that far it goes
  }
  place_ = before;
  return index;
}

void BlockReader::fail(uint64_t place, const std::string& what) const {
  throw std::runtime_error("'" + path_ + "', byte " + std::to_string(place) + ": " + what);
}

size_t BlockReader::read(uint64_t place, void* to, size_t size) const {
  size_t done = 0;
  while (done < size) {
    const ssize_t got = ::pread(descriptor_, static_cast<char*>(to) + done, size - done,
                                static_cast<off_t>(place + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      throw std::runtime_error("cannot read '" + path_ + "': " + std::strerror(errno));
    }
    if (got == 0) break;
    done += static_cast<size_t>(got);
  }
  return done;
}

}  // namespace mmt::tracefile
