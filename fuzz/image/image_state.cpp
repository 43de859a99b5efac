#include "image/image_state.h"

#include <elf.h>
#include <link.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <stdexcept>

#include "programs/elf.h"

namespace mmt::fuzz {
namespace {

constexpr const char* kSymbol = "mmt_stats_page";
constexpr uint64_t kValue = 4711;
// A process takes none of them for granted, and each costs a system call.
constexpr size_t kMostReads = 40'000;
constexpr std::array<uint64_t, 8> kEdges{0,          1,         0xFF,       0xFFFF,
                                         UINT32_MAX, INT64_MAX, UINT64_MAX, uint64_t{1} << 63};

struct Image {
  ElfW(Ehdr) header;
  ElfW(Phdr) segments[2];
  ElfW(Dyn) dynamic[4];
  uint32_t hash[4 + 2 + 1 + 1];  // header, one word of the filter, one bucket, one chain
  ElfW(Sym) symbols[2];
  char names[16];
};

#if defined(__x86_64__)
constexpr uint16_t kMachine = EM_X86_64;
#else
constexpr uint16_t kMachine = EM_AARCH64;
#endif

uint32_t gnu_hash(const char* name) {
  uint32_t hash = 5381;
  for (; *name != '\0'; ++name) hash = hash * 33 + static_cast<unsigned char>(*name);
  return hash;
}

Image whole() {
  Image image{};
  std::memcpy(image.header.e_ident, ELFMAG, SELFMAG);
  image.header.e_ident[EI_CLASS] = ELFCLASS64;
  image.header.e_ident[EI_DATA] = ELFDATA2LSB;
  image.header.e_type = ET_DYN;
  image.header.e_machine = kMachine;
  image.header.e_phoff = offsetof(Image, segments);
  image.header.e_phentsize = sizeof(ElfW(Phdr));
  image.header.e_phnum = 2;
  image.segments[0].p_type = PT_LOAD;
  image.segments[0].p_memsz = image.segments[0].p_filesz = sizeof image;
  image.segments[1].p_type = PT_DYNAMIC;
  image.segments[1].p_vaddr = offsetof(Image, dynamic);
  image.segments[1].p_memsz = sizeof image.dynamic;
  image.dynamic[0] = {DT_SYMTAB, {offsetof(Image, symbols)}};
  image.dynamic[1] = {DT_STRTAB, {offsetof(Image, names)}};
  image.dynamic[2] = {DT_GNU_HASH, {offsetof(Image, hash)}};
  const uint32_t hash = gnu_hash(kSymbol);
  const std::array<uint32_t, 8> table{1, 1, 1, 0, UINT32_MAX, UINT32_MAX, 1, hash | 1};
  std::copy(table.begin(), table.end(), image.hash);
  image.symbols[1].st_name = 1;
  image.symbols[1].st_value = kValue;
  image.symbols[1].st_shndx = 1;
  std::memcpy(image.names + 1, kSymbol, 15);
  return image;
}

void require(bool holds, const char* what) {
  if (!holds) throw std::logic_error(what);
}

}  // namespace

std::string describe(const ImageOp& op) {
  constexpr std::array<const char*, static_cast<size_t>(ImageOpKind::kCount)> kNames{
      "new", "word", "half", "header", "table", "endless"};
  return std::string(kNames[static_cast<size_t>(op.kind)]) + "(" + std::to_string(op.which) + ", " +
         std::to_string(op.amount) + ")";
}

ImageState::ImageState() { apply({}); }

void ImageState::put(size_t at, size_t bytes, uint64_t value) {
  at = std::min(at, bytes_.size() - bytes);
  std::memcpy(bytes_.data() + at, &value, bytes);
}

void ImageState::fill_from(size_t at) {
  std::fill(bytes_.begin() + static_cast<std::ptrdiff_t>(at), bytes_.end(), behind_);
}

void ImageState::apply(const Op& op) {
  const uint64_t value = op.amount % 2 == 0 ? kEdges[op.amount / 2 % 8] : op.amount;
  is_new_ = op.kind == ImageOpKind::kNew;
  switch (op.kind) {
    case ImageOpKind::kNew: {
      const Image image = whole();
      const auto* const begin = reinterpret_cast<const unsigned char*>(&image);
      bytes_.assign(begin, begin + sizeof image);
      behind_ = 0;
      return;
    }
    case ImageOpKind::kWord:
      return put(op.which % sizeof(Image), 8, value);
    case ImageOpKind::kHalf:
      return put(op.which % sizeof(Image), 2, value);
    case ImageOpKind::kHeader:
      return put(op.which % (offsetof(Image, dynamic) / 8) * 8, 8, value);
    case ImageOpKind::kTable:
      return put(offsetof(Image, dynamic) + op.which % 24 * 4, 4, value);
    case ImageOpKind::kEndless:
      behind_ = static_cast<unsigned char>(2 + 2 * (op.amount % 100));
      if (op.which % 2 == 0) {  // the dynamic section
        put(offsetof(Image, segments[1].p_memsz), 8, UINT64_MAX / 2);
        return fill_from(offsetof(Image, dynamic[3]));
      }
      put(offsetof(Image, hash[7]), 4, op.amount & ~1u);  // symbols of one hash
      return fill_from(offsetof(Image, symbols));
    case ImageOpKind::kCount:
      break;
  }
}

void ImageState::check_invariants() const {
  size_t reads = 0;
  const programs::ImageReader read = [&](uint64_t address, void* out, size_t size) {
    ++reads;
    auto* const to = static_cast<unsigned char*>(out);
    for (size_t i = 0; i < size; ++i) {
      const uint64_t at = address + i;
      if (at >= bytes_.size() && behind_ == 0) return false;
      to[i] = at < bytes_.size() ? bytes_[at] : behind_;
    }
    return true;
  };
  const auto image = programs::parse_elf(read);
  if (is_new_) require(image && image->native, "the image is one of this machine");
  if (!image || !image->native) return;
  const auto found = programs::find_dynamic_symbol(*image, read, 0, kSymbol);
  if (is_new_) require(found && *found == kValue, "the symbol is found");
  const auto other = programs::find_dynamic_symbol(*image, read, 0, "mmt_stats_peaks");
  if (is_new_) require(!other, "what is not there is not found");
  require(reads <= kMostReads, "few reads suffice");
}

}  // namespace mmt::fuzz
