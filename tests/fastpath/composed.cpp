// Composed paths and hand-written ones, for counting instructions: composed_paths.py runs one of
// them under callgrind and counts within its function alone. All take `n` rounds of 16 blocks.
#include <obstack.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <mmt/layers/fit/freelist_heap.h>
#include <mmt/layers/general/kingsley_heap.h>
#include <mmt/layers/source/malloc_heap.h>
#include <mmt/layers/special/obstack_heap.h>

#include "heaps/by_hand/kingsley.h"

#define obstack_chunk_alloc std::malloc
#define obstack_chunk_free std::free

namespace {

constexpr size_t kBlocks = 16;

// Keeps the compiler from knowing a value, without an instruction.
template <class T>
void hide(T& value) {
  asm volatile("" : "+r"(value) : : "memory");
}

template <class Take, class Give>
[[gnu::always_inline]] inline void rounds(uint64_t n, Take take, Give give) {
  void* blocks[kBlocks];
  for (uint64_t i = 0; i < n; ++i) {
    for (size_t k = 0; k < kBlocks; ++k) {
      size_t size = k * 20 + 1;
      hide(size);
      blocks[k] = take(size);
    }
    for (size_t k = 0; k < kBlocks; ++k) {
      hide(blocks[k]);
      give(blocks[k]);
    }
  }
}

constexpr size_t kObject = 48;

struct HandList {
  struct Node {
    Node* next;
  };
  Node* head = nullptr;
  void* take() {
    if (head == nullptr) return std::malloc(kObject);
    Node* node = head;
    head = node->next;
    return node;
  }
  void give(void* block) {
    auto* node = static_cast<Node*>(block);
    node->next = head;
    head = node;
  }
};

mmt::layers::KingsleyHeap<> kingsley;
mmt::heaps::by_hand::Kingsley kingsley_hand;
mmt::layers::FreelistHeap<mmt::layers::MallocHeap> freelist;
HandList hand_list;
mmt::layers::Pipe<mmt::layers::MallocHeap, mmt::layers::Obstack<4096>> composed_obstack;
struct obstack glibc_obstack;

// An object that grows by characters, as a name in a lexer, then two of fixed size.
constexpr char kName[] = "identifier";

}  // namespace

extern "C" {

[[gnu::noinline]] void path_loop(uint64_t n) {
  static char block[64];
  rounds(
      n, [](size_t) { return static_cast<void*>(block); }, [](void*) {});
}
[[gnu::noinline]] void path_kingsley_composed(uint64_t n) {
  rounds(
      n, [](size_t s) { return kingsley.malloc(s); }, [](void* b) { kingsley.free(b); });
}
[[gnu::noinline]] void path_kingsley_by_hand(uint64_t n) {
  rounds(
      n, [](size_t s) { return kingsley_hand.malloc(s); }, [](void* b) { kingsley_hand.free(b); });
}
[[gnu::noinline]] void path_freelist_composed(uint64_t n) {
  rounds(
      n, [](size_t) { return freelist.malloc(kObject); }, [](void* b) { freelist.free(b); });
}
[[gnu::noinline]] void path_freelist_by_hand(uint64_t n) {
  rounds(
      n, [](size_t) { return hand_list.take(); }, [](void* b) { hand_list.give(b); });
}
[[gnu::noinline]] void path_obstack_composed(uint64_t n) {
  void* first = composed_obstack.malloc(8);
  for (uint64_t i = 0; i < n; ++i) {
    for (const char* c = kName; *c != '\0'; ++c) composed_obstack.grow(*c);
    composed_obstack.grow('\0');
    void* name = composed_obstack.finish();
    for (size_t k = 0; k < kBlocks; ++k) {
      size_t size = k * 8 + 8;
      hide(size);
      void* block = composed_obstack.malloc(size);
      hide(block);
    }
    composed_obstack.free(name);
  }
  composed_obstack.free(first);
}
[[gnu::noinline]] void path_obstack_by_hand(uint64_t n) {
  void* first = obstack_alloc(&glibc_obstack, 8);
  for (uint64_t i = 0; i < n; ++i) {
    for (const char* c = kName; *c != '\0'; ++c) obstack_1grow(&glibc_obstack, *c);
    obstack_1grow(&glibc_obstack, '\0');
    void* name = obstack_finish(&glibc_obstack);
    for (int k = 0; k < static_cast<int>(kBlocks); ++k) {
      int size = k * 8 + 8;
      hide(size);
      void* block = obstack_alloc(&glibc_obstack, size);
      hide(block);
    }
    obstack_free(&glibc_obstack, name);
  }
  obstack_free(&glibc_obstack, first);
}

}  // extern "C"

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  obstack_init(&glibc_obstack);
  const uint64_t n = std::strtoull(argv[2], nullptr, 10);
  const struct {
    const char* name;
    void (*run)(uint64_t);
  } paths[] = {{"loop", path_loop},
               {"kingsley_composed", path_kingsley_composed},
               {"kingsley_by_hand", path_kingsley_by_hand},
               {"freelist_composed", path_freelist_composed},
               {"freelist_by_hand", path_freelist_by_hand},
               {"obstack_composed", path_obstack_composed},
               {"obstack_by_hand", path_obstack_by_hand}};
  for (const auto& path : paths) {
    if (std::strcmp(path.name, argv[1]) != 0) continue;
    path.run(n);
    return 0;
  }
  std::fprintf(stderr, "no path '%s'\n", argv[1]);
  return 2;
}
