// What is taken for a pool, and chunks that the recorder takes of one.
#include "cli/trace/pool_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>

#include <gtest/gtest.h>

#include "trace/new_pool.h"

namespace mmt::cli {
namespace {

using trace::kChunkBytes;

int memory_file(off_t bytes, int seals, unsigned flags = MFD_ALLOW_SEALING) {
  const int file = ::memfd_create("test", MFD_CLOEXEC | flags);
  EXPECT_EQ(::ftruncate(file, bytes), 0);
  if (seals != 0) {
    EXPECT_EQ(::fcntl(file, F_ADD_SEALS, seals), 0);
  }
  return file;
}

constexpr int kSize = F_SEAL_SHRINK | F_SEAL_GROW;
constexpr off_t kBytes = 100 * kChunkBytes;

TEST(Pool, IsWhatTheRecorderMakes) {
  for (const std::size_t chunks : {trace::kFewestChunks, std::size_t{100}, trace::kMostChunks}) {
    const auto pool = PoolFile::adopt(static_cast<int>(trace::make_pool_file(chunks)));
    ASSERT_NE(pool, nullptr);
    EXPECT_EQ(pool->most_chunks(), chunks);
    std::size_t taken = 0;
    while (trace::take_chunk(pool->pool(), chunks) != 0) ++taken;
    EXPECT_EQ(taken, std::min(chunks, trace::kPendingChunks) - 1);
    EXPECT_EQ(pool->grow(64), chunks > trace::kPendingChunks);
  }
}

// Its owner could take memory away that is read.
TEST(Pool, IsNoFileThatCanShrink) {
  EXPECT_EQ(PoolFile::adopt(memory_file(kBytes, 0)), nullptr);
  EXPECT_EQ(PoolFile::adopt(memory_file(kBytes, F_SEAL_GROW)), nullptr);
  EXPECT_EQ(PoolFile::adopt(memory_file(kBytes, F_SEAL_SHRINK)), nullptr);
  EXPECT_NE(PoolFile::adopt(memory_file(kBytes, kSize)), nullptr);
  const auto file = static_cast<int>(trace::make_pool_file(trace::kMostChunks));
  EXPECT_NE(::ftruncate(file, 0), 0);
  EXPECT_EQ(::fcntl(file, F_ADD_SEALS, F_SEAL_WRITE), -1);
  ::close(file);
}

TEST(Pool, IsNoFileOfAnotherSizeOrKind) {
  for (const off_t bytes : {off_t{0}, off_t{1}, kBytes + 1, off_t{kChunkBytes},
                            static_cast<off_t>(trace::kPoolBytes + kChunkBytes)}) {
    EXPECT_EQ(PoolFile::adopt(memory_file(bytes, kSize)), nullptr) << bytes;
  }
  EXPECT_EQ(PoolFile::adopt(memory_file(kBytes, kSize | F_SEAL_WRITE)), nullptr);
  EXPECT_EQ(PoolFile::adopt(::open("/dev/zero", O_RDWR)), nullptr);
  EXPECT_EQ(PoolFile::adopt(::open("/proc/self/exe", O_RDONLY)), nullptr);
  EXPECT_EQ(PoolFile::adopt(::open("/", O_PATH)), nullptr);
  EXPECT_EQ(PoolFile::adopt(-1), nullptr);
}

// What the program finds there must not lead it out of its pool.
TEST(Pool, HasNoChunksBesideThose) {
  constexpr std::size_t kChunks = 100;
  const auto pool = PoolFile::adopt(static_cast<int>(trace::make_pool_file(kChunks)));
  for (auto& word : pool->pool().free) word.store(~std::uint64_t{0});
  std::size_t taken = 0;
  while (const std::size_t chunk = trace::take_chunk(pool->pool(), kChunks)) {
    EXPECT_LT(chunk, kChunks);
    ++taken;
  }
  EXPECT_EQ(taken, kChunks - 1);
  for (auto& word : pool->pool().free) word.store(~std::uint64_t{0});
  EXPECT_LT(pool->free_chunks(), kChunks);
}

}  // namespace
}  // namespace mmt::cli
