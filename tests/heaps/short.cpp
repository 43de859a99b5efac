// The program stands for the whole suites on heaps that are LIGHT (src/heaps/CMakeLists.txt). It
// tests every name of malloc, contents that stay, threads and a fork, in a tenth of a second.
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <map>
#include <string>

#include "support/expect.h"

namespace {

struct Block {
  unsigned char* data;
  size_t size;
  unsigned char value;

  void fill() { memset(data, value, size); }
  void check(size_t bytes) const {
    for (size_t i = 0; i < bytes; ++i) EXPECT(data[i] == value, "byte %zu of %zu", i, size);
  }
};

bool is_aligned(const void* at, size_t alignment) {
  return reinterpret_cast<uintptr_t>(at) % alignment == 0;
}

void* random_mix(void* seed_of) {
  auto seed = reinterpret_cast<uint64_t>(seed_of);
  Block blocks[150] = {};
  for (int i = 0; i < 4000; ++i) {
    Block& one = blocks[next_random(&seed) % 150];
    if (one.data != nullptr) one.check(one.size);
    const size_t kind = next_random(&seed) % 100;
    const size_t size = 1 + next_random(&seed) % (kind < 90 ? 600 : 20000);
    if (one.data != nullptr && kind < 60) {
      free(one.data);
      one.data = nullptr;
      continue;
    }
    if (one.data != nullptr) {
      one.data = static_cast<unsigned char*>(realloc(one.data, size));
      EXPECT(one.data != nullptr);
      one.check(size < one.size ? size : one.size);
    } else if (kind < 10) {
      void* at = nullptr;
      EXPECT(posix_memalign(&at, size_t{16} << kind, size) == 0);
      EXPECT(is_aligned(at, size_t{16} << kind));
      one.data = static_cast<unsigned char*>(at);
    } else if (kind < 30) {
      one.data = static_cast<unsigned char*>(calloc(size, 1));
      EXPECT(one.data != nullptr);
      one.value = 0;
      one.size = size;
      one.check(size);
    } else {
      one.data = static_cast<unsigned char*>(malloc(size));
    }
    EXPECT(one.data != nullptr && is_aligned(one.data, 16));
    EXPECT(malloc_usable_size(one.data) >= size);
    one.size = size;
    one.value = static_cast<unsigned char>(seed);
    one.fill();
  }
  for (Block& one : blocks) free(one.data);
  return nullptr;
}

void refusals() {
  errno = 0;
  void* const none = malloc(SIZE_MAX / 2);
  EXPECT(none == nullptr && errno == ENOMEM);
  EXPECT(calloc(SIZE_MAX / 4, 8) == nullptr);
  void* kept = malloc(100);
  EXPECT(realloc(kept, SIZE_MAX - 100) == nullptr);
  EXPECT(posix_memalign(&kept, 24, 100) == EINVAL);
  free(kept);
}

void names() {
  void* const page = valloc(10);
  EXPECT(is_aligned(page, 4096));
  free(page);
  void* const pages = pvalloc(10);
  EXPECT(is_aligned(pages, 4096) && malloc_usable_size(pages) >= 4096);
  free(pages);
  void* const wide = aligned_alloc(65536, 65536);
  EXPECT(is_aligned(wide, 65536));
  free(wide);
  free(memalign(64, 3));
  free(malloc(0));
  free(nullptr);
  const struct mallinfo2 info = mallinfo2();
  EXPECT(info.arena != 0 && info.fordblks <= info.arena);
  malloc_trim(0);
}

void large_blocks() {
  char* grown = nullptr;
  for (size_t size = 1; size <= size_t{16} << 20; size *= 8) {
    grown = static_cast<char*>(realloc(grown, size));
    EXPECT(grown != nullptr && (size == 1 || grown[size / 8 - 1] == 7));
    grown[size - 1] = 7;
  }
  free(grown);
  auto* const zeroed = static_cast<char*>(calloc(size_t{8} << 20, 1));
  for (size_t i = 0; i < size_t{8} << 20; i += 997) EXPECT(zeroed[i] == 0);
  free(zeroed);
}

void containers() {
  std::map<int, std::string> all;
  for (int i = 0; i < 3000; ++i)
    all[i * 7919 % 3001] = std::string(static_cast<size_t>(i % 90), 'x');
  for (int i = 0; i < 3000; i += 2) all.erase(i);
  struct alignas(256) Wide {
    char bytes[300];
  };
  auto* const wide = new Wide;
  EXPECT(is_aligned(wide, 256));
  delete wide;
}

void in_a_fork() {
  void* const kept = malloc(1000);
  memset(kept, 1, 1000);
  const pid_t child = fork();
  if (child == 0) {
    random_mix(reinterpret_cast<void*>(77));
    free(kept);
    _exit(0);
  }
  int status = 0;
  EXPECT(waitpid(child, &status, 0) == child && status == 0, "status %d", status);
  free(kept);
}

}  // namespace

int main() {
  random_mix(reinterpret_cast<void*>(1));
  pthread_t threads[4];
  for (uintptr_t i = 0; i < 4; ++i) {
    EXPECT(pthread_create(&threads[i], nullptr, random_mix, reinterpret_cast<void*>(i + 2)) == 0);
  }
  in_a_fork();
  for (const pthread_t one : threads) pthread_join(one, nullptr);
  refusals();
  names();
  large_blocks();
  containers();
}
