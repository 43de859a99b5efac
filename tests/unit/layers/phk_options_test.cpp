// PHKmalloc's options: letters, what they imply, and where they come from.
#include <stdlib.h>
#include <unistd.h>

#include <string>

#include <gtest/gtest.h>

#include <mmt/layers/general/phk/options.h>
#include <mmt/layers/general/phk/process_options.h>

namespace mmt::layers {
namespace {

PhkOptions options(const char* letters) { return phk_options_of(nullptr, nullptr, letters); }

TEST(PhkOptions, AreOffAtFirst) {
  EXPECT_EQ(options(""), PhkOptions());
  EXPECT_EQ(options(nullptr), PhkOptions());
  EXPECT_EQ(PhkOptions().cache_pages, 16u);
}

TEST(PhkOptions, AreALetterEach) {
  const struct {
    const char* letter;
    bool PhkOptions::*option;
  } all[] = {
      {"A", &PhkOptions::abort},     {"H", &PhkOptions::hint},  {"R", &PhkOptions::always_move},
      {"J", &PhkOptions::junk},      {"V", &PhkOptions::sysv},  {"X", &PhkOptions::abort_on_oom},
      {"Z", &PhkOptions::zero},      {"U", &PhkOptions::trace}, {"C", &PhkOptions::canaries},
      {"F", &PhkOptions::freecheck}, {"G", &PhkOptions::guard}, {"P", &PhkOptions::at_random}};
  for (const auto& [letter, option] : all) {
    EXPECT_TRUE(options(letter).*option) << letter;
    std::string off = letter;
    off += static_cast<char>(letter[0] - 'A' + 'a');
    EXPECT_EQ(options(off.c_str()), PhkOptions()) << off;
    EXPECT_FALSE(options(letter).has_unknown) << letter;
  }
}

TEST(PhkOptions, ImplyOthers) {
  PhkOptions junk;
  junk.junk = junk.always_move = true;
  EXPECT_EQ(options("J"), junk);
  PhkOptions zero = junk;
  zero.zero = true;
  EXPECT_EQ(options("Z"), zero);
  EXPECT_EQ(options("Zj"), zero);  // what is zeroed is junk beyond
  EXPECT_EQ(options("Jr"), junk);
}

TEST(PhkOptions, SizeTheCache) {
  EXPECT_EQ(options(">").cache_pages, 32u);
  EXPECT_EQ(options(">><").cache_pages, 32u);
  EXPECT_EQ(options("<<<<").cache_pages, 1u);
  EXPECT_EQ(options("<<<<<<").cache_pages, 1u);
  EXPECT_EQ(options("<<<<>").cache_pages, 2u);
  EXPECT_EQ(options(std::string(100, '>').c_str()).cache_pages, PhkOptions::kMostCachePages);
}

TEST(PhkOptions, StrictIsAllChecks) {
  PhkOptions strict = options("CFGJP");
  strict.cache_pages = 0;
  EXPECT_EQ(options("S"), strict);
  EXPECT_EQ(options("Ss"), PhkOptions());
  EXPECT_EQ(options("S>").cache_pages, 1u);
}

TEST(PhkOptions, UnknownLettersDoNoHarm) {
  PhkOptions expected = options("AX");
  expected.has_unknown = true;
  EXPECT_EQ(options("A1X"), expected);
  EXPECT_TRUE(options("\xff").has_unknown);
  EXPECT_TRUE(options("B").has_unknown);
}

TEST(PhkOptions, LaterPlacesCountMore) {
  EXPECT_EQ(phk_options_of("AX", "aH", "hV"), options("XV"));
  // What is implied, all places together decide.
  EXPECT_EQ(phk_options_of("Z", "z", nullptr), PhkOptions());
}

TEST(PhkOptions, AreReadFromLinkVariableAndProgram) {
  char folder[] = "/tmp/phk_options_XXXXXX";
  ASSERT_NE(mkdtemp(folder), nullptr);
  const std::string link = std::string(folder) + "/malloc.conf";
  unsetenv("MALLOC_OPTIONS");
  errno = 7;
  EXPECT_EQ(read_phk_options(nullptr, link.c_str()), PhkOptions());
  EXPECT_EQ(errno, 7);

  ASSERT_EQ(symlink("AV<", link.c_str()), 0);
  PhkOptions expected = options("AV<");
  EXPECT_EQ(read_phk_options(nullptr, link.c_str()), expected);
  EXPECT_EQ(read_phk_options("v", link.c_str()), options("A<"));

  setenv("MALLOC_OPTIONS", "aJ", 1);
  EXPECT_EQ(read_phk_options("v", link.c_str()), options("J<"));
  unsetenv("MALLOC_OPTIONS");
  unlink(link.c_str());
  rmdir(folder);
}

}  // namespace
}  // namespace mmt::layers
