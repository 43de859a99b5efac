#include "classic/cfront/source_text.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>

// An allocator of one's own is in this part of zstd's header.
#define ZSTD_STATIC_LINKING_ONLY
#include <zstd.h>

#include "classic/cfront/failure.h"

namespace mmt::workloads {
namespace {

// Pages apart from malloc, given back when it goes: of a file, or with -1 for it empty ones.
class Pages {
 public:
  explicit Pages(size_t bytes, int file = -1)
      : bytes_(bytes),
        at_(::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | (file < 0 ? MAP_ANONYMOUS : 0), file, 0)) {
    if (at_ == MAP_FAILED) cfront_fail(kStatusWrong, "no memory for a source");
  }
  ~Pages() { ::munmap(at_, bytes_); }
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;

  char* at() const { return static_cast<char*>(at_); }
  size_t bytes() const { return bytes_; }

 private:
  size_t bytes_;
  void* at_;
};

std::string all_of(std::FILE* file, const std::string& path) {
  std::string text;
  char part[1 << 16];
  size_t bytes = 0;
  while (file != nullptr && (bytes = std::fread(part, 1, sizeof part, file)) > 0) {
    text.append(part, bytes);
  }
  if (file == nullptr || std::ferror(file) != 0) {
    cfront_fail(kStatusBadInput, "cannot read %s", path.c_str());
  }
  std::fclose(file);
  return text;
}

std::string unpacked(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat told {};
  if (file < 0 || ::fstat(file, &told) != 0 || told.st_size <= 0) {
    cfront_fail(kStatusBadInput, "cannot read %s", path.c_str());
  }
  const Pages packed(static_cast<size_t>(told.st_size), file);
  ::close(file);
  const Pages room(ZSTD_estimateDStreamSize(size_t{1} << kWindowBits));
  ZSTD_DStream* const stream = ZSTD_initStaticDStream(room.at(), room.bytes());
  std::string text;
  char part[1 << 16];
  ZSTD_inBuffer in{packed.at(), packed.bytes(), 0};
  size_t left = 0;
  do {
    ZSTD_outBuffer out{part, sizeof part, 0};
    left = ZSTD_decompressStream(stream, &out, &in);
    if (ZSTD_isError(left) != 0) {
      cfront_fail(kStatusBadInput, "%s: %s", path.c_str(), ZSTD_getErrorName(left));
    }
    if (out.pos == 0 && in.pos == in.size && left != 0) {
      cfront_fail(kStatusBadInput, "%s is cut off", path.c_str());
    }
    text.append(part, out.pos);
  } while (left != 0 || in.pos < in.size);
  return text;
}

}  // namespace

std::string source_text(const std::string& path) {
  const bool is_packed = path.ends_with(".zst");
  std::string text = is_packed ? unpacked(path) : all_of(std::fopen(path.c_str(), "rb"), path);
  if (text.find('\0') != std::string::npos) {
    cfront_fail(kStatusBadInput, "%s is no text", path.c_str());
  }
  return text;
}

}  // namespace mmt::workloads
