// A library that knows its live blocks, on top of the program's own malloc. Any thread.
#pragma once

#include <malloc.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <mutex>
#include <vector>

#include <gtest/gtest.h>

#include "backend/library.h"

namespace mmt::test {

class CheckedLibrary {
 public:
  // What usable_size says of a block for so many bytes.
  static size_t rounded(size_t bytes) { return (bytes + 23) / 16 * 16 - 8; }

  static void install() {
    live().clear();
    given().clear();
    overlaps() = 0;
    backend::library.malloc = [](size_t bytes) -> void* {
      const Visit visit;
      const size_t size = rounded(bytes);
      void* block = std::malloc(size);
      const std::lock_guard lock(mutex());
      live()[block] = size;
      given().push_back(block);
      return block;
    };
    backend::library.free = [](void* block) {
      const Visit visit;
      {
        const std::lock_guard lock(mutex());
        EXPECT_EQ(live().erase(block), 1U) << "freed twice, or never allocated";
      }
      std::free(block);
    };
    backend::library.usable_size = [](void* block) -> size_t {
      const Visit visit;
      const std::lock_guard lock(mutex());
      const auto found = live().find(block);
      EXPECT_NE(found, live().end());
      return found == live().end() ? 0 : found->second;
    };
  }
  // What a test has left.
  static void free_all() {
    const std::lock_guard lock(mutex());
    for (const auto& [block, size] : live()) std::free(block);
    live().clear();
  }
  static size_t live_blocks() {
    const std::lock_guard lock(mutex());
    return live().size();
  }
  // Calls that began while another one was under way.
  static std::atomic<uint32_t>& overlaps() {
    static std::atomic<uint32_t> count{0};
    return count;
  }
  // All blocks so far, in the order in which they were given out.
  static std::vector<void*>& given() {
    static std::vector<void*> blocks;
    return blocks;
  }

 private:
  // Without order among threads: a sanitizer is to see what they do themselves.
  struct Visit {
    Visit() {
      if (visitors().fetch_add(1, std::memory_order_relaxed) != 0) ++overlaps();
    }
    ~Visit() { visitors().fetch_sub(1, std::memory_order_relaxed); }
    static std::atomic<uint32_t>& visitors() {
      static std::atomic<uint32_t> count{0};
      return count;
    }
  };

  static std::mutex& mutex() {
    static std::mutex one;
    return one;
  }
  static std::map<void*, size_t>& live() {
    static std::map<void*, size_t> blocks;
    return blocks;
  }
};

}  // namespace mmt::test
