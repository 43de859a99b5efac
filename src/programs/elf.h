// Knows just enough of ELF: what kind of program a file is, and where a dynamic symbol lies. The
// symbol may be in a file or in the memory of another process.
//
// Only images of this machine's own class and byte order are looked into; of all others the machine
// is all that is told. Broken files give nullopt, never a crash: every offset is checked by the
// reader that fetches it. An image that lies about its sizes costs some thousand reads.
#pragma once

#include <link.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mmt::programs {

// Fetches bytes by link-time address of the image; false when they are not there.
using ImageReader = std::function<bool(std::uint64_t address, void* out, std::size_t size)>;

struct ElfImage {
  bool native = false;               // of this machine's class, byte order and instruction set
  std::string machine;               // "x86-64", "i386", "aarch64", or its number
  std::uint16_t type = 0;            // of native images only: ET_DYN, ...
  std::vector<ElfW(Phdr)> segments;  // of native images only

  const ElfW(Phdr) * segment(std::uint32_t type) const;
};

// Returns what `read` shows of an ELF header and its program headers; nullopt when it is no ELF
// image. The reader takes file offsets, or distances from the start of a mapped image.
std::optional<ElfImage> parse_elf(const ImageReader& read);

// Link-time address of the defined dynamic symbol `name`. `bias` is what the dynamic linker added
// to the pointers of the dynamic section: 0 for files, the load bias for memory.
std::optional<std::uint64_t> find_dynamic_symbol(const ElfImage& image, const ImageReader& read,
                                                 std::uint64_t bias, std::string_view name);

// A file that is read as an ELF image, piece by piece. Does not throw.
class ElfFile {
 public:
  // nullopt when the file cannot be read or is no ELF image.
  static std::optional<ElfFile> open(const std::string& path);

  ElfFile(ElfFile&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, -1)), image_(std::move(other.image_)) {}
  ElfFile& operator=(ElfFile&&) = delete;
  ~ElfFile();

  const ElfImage& image() const { return image_; }

  // The dynamic linker that the file asks for; nullopt: none, it is statically linked.
  std::optional<std::string> interpreter() const;

  bool defines(std::string_view symbol) const;

  // Whether it asks others for the dynamic symbol.
  bool asks_for(std::string_view symbol) const;

  // Whether it can be loaded beside a program. Position-independent programs are of the same type
  // and cannot.
  bool is_shared_library() const;

  // Whether the file holds all that its program headers name: a cut-off library kills whoever loads
  // it.
  bool is_whole() const;

 private:
  explicit ElfFile(int descriptor) : descriptor_(descriptor) {}

  bool read_at(std::uint64_t offset, void* out, std::size_t size) const;
  ImageReader by_address() const;

  int descriptor_;
  ElfImage image_;
};

}  // namespace mmt::programs
