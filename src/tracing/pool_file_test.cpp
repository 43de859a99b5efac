// What is taken for a pool, and chunks that the recorder takes of one.
#include "tracing/pool_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>

#include <gtest/gtest.h>

#include "trace/new_pool.h"

namespace mmt::tracing {
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

constexpr std::size_t kChunks = 100;
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
  EXPECT_THROW(pool->check(), PoolFault);
}

TEST(Pool, GivesMemoryBack) {
  const auto file = static_cast<int>(trace::make_pool_file(kChunks));
  const auto pool = PoolFile::adopt(::dup(file));
  pool->begin(1, 2);
  const auto memory = [&] {
    struct stat status {};
    EXPECT_EQ(::fstat(file, &status), 0);
    return static_cast<std::size_t>(status.st_blocks) * 512 / kChunkBytes;
  };
  std::size_t kept = 0;
  for (std::uint32_t i = 1; i <= 50; ++i) {
    const std::size_t chunk = trace::take_chunk(pool->pool(), kChunks);
    trace::ChunkHead& head = *trace::head_of(pool->base(), chunk);
    std::memset(static_cast<void*>(&head), 1, kChunkBytes);
    head.record_bytes = sizeof(trace::Record);
    head.sequence.store(i);
    if (i == 20) kept = chunk;
  }
  for (const TakenChunk& one : pool->taken()) {
    if (one.chunk != kept) pool->give(one.chunk);
  }
  EXPECT_GE(memory(), 50U);
  pool->trim();
  EXPECT_LE(memory(), 2U);
  pool->check();
  EXPECT_EQ(pool->free_chunks(), kChunks - 2);
  EXPECT_EQ(trace::head_of(pool->base(), kept)->sequence.load(), 20U);
}

TEST(Pool, WithholdsWhatIsFree) {
  for (const std::size_t chunks : {trace::kFewestChunks, std::size_t{100}, trace::kMostChunks}) {
    const auto pool = PoolFile::adopt(static_cast<int>(trace::make_pool_file(chunks)));
    pool->begin(1, 2);
    const std::size_t free = pool->free_chunks();
    const std::size_t one = trace::take_chunk(pool->pool(), chunks);
    trace::ChunkHead& head = *trace::head_of(pool->base(), one);
    head.process = head.thread = 1;
    head.record_bytes = sizeof(trace::Record);
    head.sequence.store(1);
    EXPECT_EQ(pool->taken().size(), 1U);
    pool->withhold();
    EXPECT_EQ(pool->free_chunks(), 0U);
    EXPECT_EQ(trace::take_chunk(pool->pool(), chunks), 0U);
    EXPECT_EQ(pool->used(), 1U);
    pool->give(one);
    EXPECT_EQ(pool->used(), 0U);
    EXPECT_EQ(trace::take_chunk(pool->pool(), chunks), one);
    EXPECT_TRUE(pool->taken().empty());
    pool->check();
    pool->release();
    pool->check();
    EXPECT_EQ(pool->free_chunks(), free - 1);
    EXPECT_EQ(pool->grow(64), chunks > trace::kPendingChunks);
    pool->check();
  }
}

}  // namespace
}  // namespace mmt::tracing
