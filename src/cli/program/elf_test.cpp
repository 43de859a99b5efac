// Tests of the ELF reader on this very program, on the C library, and on broken files.
#include "cli/program/elf.h"

#include <dlfcn.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "support/path_for_test.h"

namespace mmt::cli {
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
}  // namespace mmt::cli
