// Tests of the ELF reader on this very program, on the C library, and on broken files.
#include "programs/elf.h"

#include <dlfcn.h>
#include <elf.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "support/path_for_test.h"

namespace mmt::programs {
namespace {

// A function of the C library that no sanitizer puts itself in front of.
constexpr const char* kLibcSymbol = "gnu_get_libc_version";

std::string libc_path() {
  Dl_info info;
  return dladdr(dlsym(RTLD_DEFAULT, kLibcSymbol), &info) != 0 ? info.dli_fname : "";
}

TEST(ElfFile, KnowsThisProgram) {
  const auto file = ElfFile::open("/proc/self/exe");
  ASSERT_TRUE(file);
  EXPECT_TRUE(file->image().native);
  ASSERT_TRUE(file->interpreter());
  EXPECT_NE(file->interpreter()->find("ld-linux"), std::string::npos);
  EXPECT_FALSE(file->defines("malloc")) << "an imported symbol is no definition";
  EXPECT_TRUE(file->asks_for("strlen") || file->asks_for("memcpy"));
  EXPECT_FALSE(file->asks_for("no_such_symbol"));
  EXPECT_FALSE(file->is_shared_library());
  EXPECT_TRUE(file->is_whole());
}

TEST(ElfFile, FindsDefinedSymbols) {
  const auto file = ElfFile::open(libc_path());
  ASSERT_TRUE(file);
  EXPECT_TRUE(file->defines("malloc"));
  EXPECT_TRUE(file->defines("qsort"));
  EXPECT_TRUE(file->is_shared_library()) << "though it can be started as a program, too";
  EXPECT_FALSE(file->defines("no_such_symbol"));
  EXPECT_FALSE(file->defines("mallo"));
}

TEST(ElfFile, FindsSymbolsInMemory) {
  Dl_info info;
  ASSERT_NE(dladdr(dlsym(RTLD_DEFAULT, kLibcSymbol), &info), 0);
  const auto base = reinterpret_cast<std::uint64_t>(info.dli_fbase);
  const ImageReader read = [&](std::uint64_t address, void* out, std::size_t size) {
    std::memcpy(out, reinterpret_cast<const void*>(base + address), size);
    return true;
  };
  const auto image = parse_elf(read);
  ASSERT_TRUE(image);
  const auto value = find_dynamic_symbol(*image, read, base, kLibcSymbol);
  ASSERT_TRUE(value);
  EXPECT_EQ(reinterpret_cast<void*>(base + *value), dlsym(RTLD_DEFAULT, kLibcSymbol));
}

TEST(ElfFile, RefusesWhatIsNoElf) {
  EXPECT_FALSE(ElfFile::open("/proc/self/status"));
  EXPECT_FALSE(ElfFile::open("/no/such/file"));
  EXPECT_FALSE(ElfFile::open("/"));
}

TEST(ElfFile, SurvivesTruncationAtEveryLength) {
  std::ifstream self("/proc/self/exe", std::ios::binary);
  std::string bytes(4096, '\0');
  self.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  const std::string path = path_for_test("truncated");
  for (std::size_t size = 0; size < bytes.size(); size += 7) {
    std::ofstream(path, std::ios::binary | std::ios::trunc)
        .write(bytes.data(), static_cast<std::streamsize>(size));
    const auto file = ElfFile::open(path);
    EXPECT_FALSE(file && file->defines("malloc"));
    EXPECT_FALSE(file && file->asks_for("no_such_symbol"));
    EXPECT_FALSE(file && file->is_whole());
  }
}

// What a process maps by a library's name may be anything.
TEST(ElfFile, EndsInTablesThatDoNot) {
  ElfW(Ehdr) header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_machine =
      ElfFile::open("/proc/self/exe")->image().machine == "x86-64" ? EM_X86_64 : EM_AARCH64;
  header.e_phoff = sizeof header;
  header.e_phentsize = sizeof(ElfW(Phdr));
  header.e_phnum = 1;
  ElfW(Phdr) segment{};
  segment.p_type = PT_DYNAMIC;
  segment.p_vaddr = 4096;
  segment.p_memsz = UINT64_MAX;
  std::size_t reads = 0;
  const ImageReader read = [&](std::uint64_t address, void* out, std::size_t size) {
    if (++reads > 10'000) return false;
    std::memset(out, 2, size);
    if (address == 0) std::memcpy(out, &header, std::min(size, sizeof header));
    if (address == sizeof header) std::memcpy(out, &segment, std::min(size, sizeof segment));
    return true;
  };
  const auto image = parse_elf(read);
  ASSERT_TRUE(image && image->native);
  EXPECT_FALSE(find_dynamic_symbol(*image, read, 0, "malloc"));
  EXPECT_LT(reads, 10'000U);
}

TEST(ElfFile, WaitsForNoPipe) {
  const std::string path = path_for_test("pipe");
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_FALSE(ElfFile::open(path));
  unlink(path.c_str());
}

TEST(ElfFile, TellsForeignMachines) {
  const std::string path = path_for_test("foreign");
  std::string bytes(
      "\x7f"
      "ELF\x01\x01\x01\0\0\0\0\0\0\0\0\0\x02\0\x03\0",
      20);
  std::ofstream(path, std::ios::binary) << bytes;
  const auto file = ElfFile::open(path);
  ASSERT_TRUE(file);
  EXPECT_FALSE(file->image().native);
  EXPECT_EQ(file->image().machine, "i386");
}

}  // namespace
}  // namespace mmt::programs
