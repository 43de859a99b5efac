// ELF headers and dynamic symbols, read from files and from other processes.
#include "programs/elf.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include <fmt/format.h>

namespace mmt::programs {
namespace {

#if defined(__x86_64__)
constexpr std::uint16_t kMachine = EM_X86_64;
#elif defined(__aarch64__)
constexpr std::uint16_t kMachine = EM_AARCH64;
#else
constexpr std::uint16_t kMachine = EM_NONE;
#endif
constexpr unsigned char kClass = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;
constexpr unsigned char kOrder =
    std::endian::native == std::endian::little ? ELFDATA2LSB : ELFDATA2MSB;

// Limits: a file with more segments, entries of the dynamic section, symbols of one hash or
// undefined ones is no linker's image, whatever its name. Each costs a system call.
constexpr std::size_t kMaxSegments = 512;
constexpr std::uint64_t kMaxDynamic = 4096;
constexpr int kMaxChain = 4096;
constexpr std::uint32_t kMaxUndefined = 1 << 17;

template <typename T>
bool fetch(const ImageReader& read, std::uint64_t address, T* out) {
  return read(address, out, sizeof *out);
}

std::string machine_name(std::uint16_t machine) {
  switch (machine) {
    case EM_386:
      return "i386";
    case EM_X86_64:
      return "x86-64";
    case EM_ARM:
      return "arm";
    case EM_AARCH64:
      return "aarch64";
    case EM_RISCV:
      return "riscv";
    case EM_PPC64:
      return "ppc64";
    case EM_S390:
      return "s390";
    default:
      return fmt::format("machine {}", machine);
  }
}

// What is needed of the dynamic section; 0: it does not say.
struct Dynamic {
  std::uint64_t symbols = 0;
  std::uint64_t names = 0;
  std::uint64_t gnu_hash = 0;
  std::uint64_t sysv_hash = 0;
  std::uint64_t flags_1 = 0;
};

std::optional<Dynamic> read_dynamic(const ElfImage& image, const ImageReader& read,
                                    std::uint64_t bias) {
  const ElfW(Phdr)* segment = image.segment(PT_DYNAMIC);
  if (segment == nullptr) return std::nullopt;
  Dynamic dynamic;
  const std::uint64_t entries = std::min(segment->p_memsz / sizeof(ElfW(Dyn)), kMaxDynamic);
  for (std::uint64_t i = 0; i < entries; ++i) {
    ElfW(Dyn) entry;
    if (!fetch(read, segment->p_vaddr + i * sizeof entry, &entry)) return std::nullopt;
    // Some dynamic linkers relocate these pointers in place, others leave them as they were linked.
    const std::uint64_t pointer = entry.d_un.d_ptr;
    const std::uint64_t address = bias != 0 && pointer >= bias ? pointer - bias : pointer;
    if (entry.d_tag == DT_NULL) break;
    if (entry.d_tag == DT_SYMTAB) dynamic.symbols = address;
    if (entry.d_tag == DT_STRTAB) dynamic.names = address;
    if (entry.d_tag == DT_GNU_HASH) dynamic.gnu_hash = address;
    if (entry.d_tag == DT_HASH) dynamic.sysv_hash = address;
    if (entry.d_tag == DT_FLAGS_1) dynamic.flags_1 = entry.d_un.d_val;
  }
  return dynamic;
}

std::uint32_t gnu_hash(std::string_view name) {
  std::uint32_t hash = 5381;
  for (const char c : name) hash = hash * 33 + static_cast<unsigned char>(c);
  return hash;
}

std::uint32_t sysv_hash(std::string_view name) {
  std::uint32_t hash = 0;
  for (const char c : name) {
    hash = (hash << 4) + static_cast<unsigned char>(c);
    const std::uint32_t high = hash & 0xf0000000;
    hash = (hash ^ (high >> 24)) & ~high;
  }
  return hash;
}

// Entry `index` of the table when its name is `name`.
std::optional<ElfW(Sym)> symbol_if_named(const Dynamic& dynamic, const ImageReader& read,
                                         std::uint32_t index, std::string_view name) {
  ElfW(Sym) symbol;
  if (!fetch(read, dynamic.symbols + std::uint64_t{index} * sizeof symbol, &symbol)) {
    return std::nullopt;
  }
  std::string text(name.size() + 1, 'x');
  if (!read(dynamic.names + symbol.st_name, text.data(), text.size()) ||
      std::string_view(text.c_str()) != name) {
    return std::nullopt;
  }
  return symbol;
}

// The symbol's value when entry `index` of the table is a definition of `name`.
std::optional<std::uint64_t> value_if_named(const Dynamic& dynamic, const ImageReader& read,
                                            std::uint32_t index, std::string_view name) {
  const auto symbol = symbol_if_named(dynamic, read, index, name);
  if (!symbol || symbol->st_shndx == SHN_UNDEF) return std::nullopt;
  return symbol->st_value;
}

std::optional<std::uint64_t> find_by_gnu_hash(const Dynamic& dynamic, const ImageReader& read,
                                              std::string_view name) {
  struct {
    std::uint32_t buckets, first_symbol, bloom_words, bloom_shift;
  } header;
  if (!fetch(read, dynamic.gnu_hash, &header) || header.buckets == 0) return std::nullopt;
  const std::uint32_t hash = gnu_hash(name);
  const std::uint64_t buckets =
      dynamic.gnu_hash + sizeof header + std::uint64_t{header.bloom_words} * sizeof(void*);
  const std::uint64_t chains = buckets + std::uint64_t{header.buckets} * 4;
  std::uint32_t index = 0;
  if (!fetch(read, buckets + std::uint64_t{hash % header.buckets} * 4, &index)) return std::nullopt;
  if (index < header.first_symbol) return std::nullopt;
  for (int steps = 0; steps < kMaxChain; ++steps, ++index) {
    std::uint32_t link = 0;
    if (!fetch(read, chains + std::uint64_t{index - header.first_symbol} * 4, &link)) break;
    if ((link | 1) == (hash | 1)) {
      if (const auto value = value_if_named(dynamic, read, index, name)) return value;
    }
    if ((link & 1) != 0) break;
  }
  return std::nullopt;
}

// The older table, of libraries that were linked with --hash-style=sysv.
std::optional<std::uint64_t> find_by_sysv_hash(const Dynamic& dynamic, const ImageReader& read,
                                               std::string_view name) {
  struct {
    std::uint32_t buckets, symbols;
  } header;
  if (!fetch(read, dynamic.sysv_hash, &header) || header.buckets == 0) return std::nullopt;
  const std::uint64_t buckets = dynamic.sysv_hash + sizeof header;
  const std::uint64_t chains = buckets + std::uint64_t{header.buckets} * 4;
  std::uint32_t index = 0;
  if (!fetch(read, buckets + std::uint64_t{sysv_hash(name) % header.buckets} * 4, &index)) {
    return std::nullopt;
  }
  for (int steps = 0; steps < kMaxChain && index != 0; ++steps) {
    if (const auto value = value_if_named(dynamic, read, index, name)) return value;
    if (!fetch(read, chains + std::uint64_t{index} * 4, &index)) break;
  }
  return std::nullopt;
}

// Returns the end of the entries of the symbol table that may be undefined symbols. They stand
// before the first of the newer hash table, and anywhere in what the older one covers.
std::uint32_t undefined_end(const Dynamic& dynamic, const ImageReader& read) {
  std::uint32_t end = 0;
  const std::uint64_t table = dynamic.gnu_hash != 0 ? dynamic.gnu_hash : dynamic.sysv_hash;
  // Both have that number second.
  if (table == 0 || !fetch(read, table + sizeof end, &end)) return 0;
  return std::min(end, kMaxUndefined);
}

}  // namespace

const ElfW(Phdr) * ElfImage::segment(std::uint32_t type) const {
  for (const ElfW(Phdr) & one : segments) {
    if (one.p_type == type) return &one;
  }
  return nullptr;
}

std::optional<ElfImage> parse_elf(const ImageReader& read) {
  // e_machine lies at the same offset in both classes.
  std::array<unsigned char, EI_NIDENT + 4> start;
  if (!fetch(read, 0, &start) || std::memcmp(start.data(), ELFMAG, SELFMAG) != 0) {
    return std::nullopt;
  }
  ElfImage image;
  const bool little = start[EI_DATA] == ELFDATA2LSB;
  const auto machine = static_cast<std::uint16_t>(start[EI_NIDENT + (little ? 2 : 3)] |
                                                  start[EI_NIDENT + (little ? 3 : 2)] << 8);
  image.machine = machine_name(machine);
  image.native = start[EI_CLASS] == kClass && start[EI_DATA] == kOrder && machine == kMachine;
  if (!image.native) return image;
  ElfW(Ehdr) header;
  if (!fetch(read, 0, &header) || header.e_phentsize != sizeof(ElfW(Phdr)) ||
      header.e_phnum > kMaxSegments) {
    return std::nullopt;
  }
  image.type = header.e_type;
  image.segments.resize(header.e_phnum);
  if (!read(header.e_phoff, image.segments.data(), header.e_phnum * sizeof(ElfW(Phdr)))) {
    return std::nullopt;
  }
  return image;
}

std::optional<std::uint64_t> find_dynamic_symbol(const ElfImage& image, const ImageReader& read,
                                                 std::uint64_t bias, std::string_view name) {
  const auto dynamic = read_dynamic(image, read, bias);
  if (!dynamic || dynamic->symbols == 0 || dynamic->names == 0) return std::nullopt;
  if (dynamic->gnu_hash != 0) return find_by_gnu_hash(*dynamic, read, name);
  if (dynamic->sysv_hash != 0) return find_by_sysv_hash(*dynamic, read, name);
  return std::nullopt;
}

std::optional<ElfFile> ElfFile::open(const std::string& path) {
  // Another file may have taken the name: to open a pipe would wait for its writer.
  ElfFile file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status;
  if (file.descriptor_ < 0 || ::fstat(file.descriptor_, &status) != 0 || !S_ISREG(status.st_mode)) {
    return std::nullopt;
  }
  auto image = parse_elf([&](std::uint64_t offset, void* out, std::size_t size) {
    return file.read_at(offset, out, size);
  });
  if (!image) return std::nullopt;
  file.image_ = std::move(*image);
  return file;
}

ElfFile::~ElfFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

bool ElfFile::read_at(std::uint64_t offset, void* out, std::size_t size) const {
  return ::pread(descriptor_, out, size, static_cast<off_t>(offset)) == static_cast<ssize_t>(size);
}

std::optional<std::string> ElfFile::interpreter() const {
  const ElfW(Phdr)* segment = image_.segment(PT_INTERP);
  if (segment == nullptr || segment->p_filesz == 0 || segment->p_filesz > 4096) {
    return std::nullopt;
  }
  std::string path(segment->p_filesz, '\0');
  if (!read_at(segment->p_offset, path.data(), path.size())) return std::nullopt;
  return std::string(path.c_str());
}

ImageReader ElfFile::by_address() const {
  return [this](std::uint64_t address, void* out, std::size_t size) {
    for (const ElfW(Phdr) & one : image_.segments) {
      if (one.p_type != PT_LOAD || address < one.p_vaddr) continue;
      const std::uint64_t inside = address - one.p_vaddr;
      if (inside < one.p_filesz && size <= one.p_filesz - inside) {
        return read_at(one.p_offset + inside, out, size);
      }
    }
    return false;
  };
}

bool ElfFile::is_shared_library() const {
  if (image_.type != ET_DYN) return false;
  const auto dynamic = read_dynamic(image_, by_address(), 0);
  return dynamic && (dynamic->flags_1 & DF_1_PIE) == 0;
}

bool ElfFile::is_whole() const {
  struct stat status;
  if (::fstat(descriptor_, &status) != 0) return false;
  const auto size = static_cast<std::uint64_t>(status.st_size);
  return std::all_of(image_.segments.begin(), image_.segments.end(), [size](const auto& segment) {
    return segment.p_filesz == 0 ||
           (segment.p_offset <= size && segment.p_filesz <= size - segment.p_offset);
  });
}

bool ElfFile::defines(std::string_view symbol) const {
  return find_dynamic_symbol(image_, by_address(), 0, symbol).has_value();
}

bool ElfFile::asks_for(std::string_view symbol) const {
  const ImageReader read = by_address();
  const auto dynamic = read_dynamic(image_, read, 0);
  if (!dynamic || dynamic->symbols == 0 || dynamic->names == 0) return false;
  const std::uint32_t end = undefined_end(*dynamic, read);
  for (std::uint32_t index = 1; index < end; ++index) {
    const auto found = symbol_if_named(*dynamic, read, index, symbol);
    if (found && found->st_shndx == SHN_UNDEF) return true;
  }
  return false;
}

}  // namespace mmt::programs
