// The names mmap, munmap and mremap are the ones under test in this program.
#include "beside/library_memory.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

#include <gtest/gtest.h>

#include "backend/library.h"

namespace mmt::beside {
namespace {

constexpr size_t kPage = 4096;
constexpr int kReadWrite = PROT_READ | PROT_WRITE;
constexpr int kOwn = MAP_PRIVATE | MAP_ANONYMOUS;

thread_local bool calls_as_library = false;

uintptr_t address_of(const void* at) { return reinterpret_cast<uintptr_t>(at); }

class LibraryMemory : public ::testing::Test {
 protected:
  void SetUp() override { calls_as_library = true; }
  void TearDown() override {
    calls_as_library = false;
    ::munmap(pages_, kPages * kPage);
  }
  void map(int protection = kReadWrite, int flags = kOwn) {
    pages_ = static_cast<char*>(::mmap(nullptr, kPages * kPage, protection, flags, -1, 0));
    ASSERT_NE(pages_, MAP_FAILED);
  }
  char* page(size_t number) const { return pages_ + number * kPage; }
  // The number of the page that ends what page `number` lies in; 0: it is not the library's.
  size_t end_of(size_t number) const {
    const uintptr_t end = end_of_library_memory(address_of(page(number)));
    return end == 0 ? 0 : (end - address_of(pages_)) / kPage;
  }

  static constexpr size_t kPages = 8;
  char* pages_ = nullptr;
};

TEST_F(LibraryMemory, IsWhatTheLibraryMaps) {
  const uint32_t before = library_memory_version();
  map();
  EXPECT_NE(library_memory_version(), before);
  EXPECT_EQ(end_of(0), kPages);
  EXPECT_EQ(end_of(kPages - 1), kPages);
  EXPECT_EQ(end_of(kPages), 0U);
}

TEST_F(LibraryMemory, IsNotWhatTheProgramMaps) {
  calls_as_library = false;
  map();
  EXPECT_EQ(end_of(0), 0U);
}

TEST_F(LibraryMemory, IsNotWhatCannotBePrepared) {
  map(PROT_NONE);
  EXPECT_EQ(end_of(0), 0U);
  ::munmap(pages_, kPages * kPage);
  map(PROT_READ);
  EXPECT_EQ(end_of(0), 0U);
  ::munmap(pages_, kPages * kPage);
  map(kReadWrite, MAP_SHARED | MAP_ANONYMOUS);
  EXPECT_EQ(end_of(0), 0U);
}

TEST_F(LibraryMemory, IsLessByWhatIsUnmapped) {
  map();
  ASSERT_EQ(::munmap(page(3), 2 * kPage), 0);
  EXPECT_EQ(end_of(2), 3U);
  EXPECT_EQ(end_of(3), 0U);
  EXPECT_EQ(end_of(5), kPages);
}

TEST_F(LibraryMemory, IsLessByWhatTheProgramPutsOverIt) {
  map();
  calls_as_library = false;
  ASSERT_EQ(::mmap(page(4), kPage, kReadWrite, kOwn | MAP_FIXED, -1, 0), page(4));
  EXPECT_EQ(end_of(0), 4U);
  EXPECT_EQ(end_of(4), 0U);
  EXPECT_EQ(end_of(5), kPages);
}

TEST_F(LibraryMemory, MovesWithWhatIsMoved) {
  map();
  auto* const at = static_cast<char*>(
      ::mmap(nullptr, 2 * kPages * kPage, PROT_NONE, kOwn | MAP_NORESERVE, -1, 0));
  ASSERT_NE(at, MAP_FAILED);
  ASSERT_EQ(::mremap(pages_, kPages * kPage, 2 * kPages * kPage, MREMAP_MAYMOVE | MREMAP_FIXED, at),
            at);
  EXPECT_EQ(end_of_library_memory(address_of(at)), address_of(at) + 2 * kPages * kPage);
  EXPECT_EQ(end_of(0), 0U);
  ::munmap(at, 2 * kPages * kPage);
  EXPECT_EQ(end_of_library_memory(address_of(at)), 0U);
}

TEST_F(LibraryMemory, GrowsWhereAPartIsOfHugePages) {
  constexpr size_t kHuge = size_t{2} << 20;
  auto* at = static_cast<char*>(::mmap(nullptr, 5 * kHuge, kReadWrite, kOwn, -1, 0));
  ASSERT_NE(at, MAP_FAILED);
  at[0] = 'a';
  auto* const inner = reinterpret_cast<char*>((address_of(at) + 2 * kHuge) / kHuge * kHuge);
  ASSERT_EQ(::madvise(inner, kHuge, MADV_HUGEPAGE), 0);
  errno = 0;
  at = static_cast<char*>(::mremap(at, 5 * kHuge, 7 * kHuge, MREMAP_MAYMOVE));
  ASSERT_NE(at, MAP_FAILED);
  EXPECT_EQ(errno, 0);
  EXPECT_EQ(at[0], 'a');
  at[7 * kHuge - 1] = 'z';
  EXPECT_EQ(end_of_library_memory(address_of(at)), address_of(at) + 7 * kHuge);
  ::munmap(at, 7 * kHuge);
}

TEST_F(LibraryMemory, TellsErrorsAsTheKernelDoes) {
  errno = 0;
  EXPECT_EQ(::mmap(nullptr, 0, kReadWrite, kOwn, -1, 0), MAP_FAILED);
  EXPECT_EQ(errno, EINVAL);
  map();
  errno = 0;
  EXPECT_EQ(::munmap(page(1) + 1, kPage), -1);
  EXPECT_EQ(errno, EINVAL);
  errno = 0;
  EXPECT_EQ(::mremap(page(1) + 1, kPage, kPage, 0), MAP_FAILED);
  EXPECT_EQ(errno, EINVAL);
  page(1)[0] = 'a';  // all is there still
}

TEST_F(LibraryMemory, IsForgottenInAChild) {
  map();
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    reset_library_memory_in_child();
    const bool is_forgotten = end_of(0) == 0;
    map();
    ::_exit(is_forgotten && end_of(0) == kPages ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(end_of(0), kPages);
}

}  // namespace

}  // namespace mmt::beside

bool mmt::backend::is_of_library(const void*) { return beside::calls_as_library; }
