// Heaps that stand for another, and the faces that heaps show to programs.
#include <map>

#include <mmt/layers/adapt/ansi_heap.h>
#include <mmt/layers/adapt/forwarding_heap.h>
#include <mmt/layers/adapt/memory_resource.h>
#include <mmt/layers/adapt/per_class_heap.h>
#include <mmt/layers/adapt/ref_heap.h>
#include <mmt/layers/adapt/return_heap.h>
#include <mmt/layers/adapt/std_allocator.h>
#include <mmt/layers/adapt/throw_exception_heap.h>
#include <mmt/layers/adapt/unique_heap.h>
#include <mmt/layers/fit/freelist_heap.h>
#include <mmt/layers/general/kingsley_heap.h>
#include <mmt/layers/general/lea_heap.h>
#include <mmt/layers/header/size_heap.h>
#include <mmt/layers/pipe.h>
#include <mmt/layers/source/mmap_heap.h>

#include "unit/layers/conformance/compositions.h"
#include "unit/layers/conformance/counting_sources.h"

namespace mmt::layers::conformance {
namespace {

// A heap that refers to another, with that one.
template <class Target>
struct WithTarget {
  Target target;
};
template <template <class> class Reference, class Target>
class Referring : private WithTarget<Target>, public Reference<Target> {
 public:
  Referring() : Reference<Target>(WithTarget<Target>::target) {}
};

// What asks for the size of what is freed, as a heap that remembers it.
template <class Face>
class Remembering {
 public:
  static constexpr size_t kAlignment = kBlockAlignment;
  static constexpr size_t kSkew = 0;

  Remembering() = default;
  Remembering(const Remembering&) = delete;
  Remembering& operator=(const Remembering&) = delete;

  void* malloc(size_t bytes) {
    void* const block = face_.take(bytes);
    sizes_[block] = bytes;
    return block;
  }
  void free(void* block) {
    face_.give(block, sizes_[block]);
    sizes_.erase(block);
  }

 private:
  Face face_;
  std::map<void*, size_t> sizes_;
};

template <class H>
struct ContainerFace {
  H heap;
  std_allocator<std::max_align_t, H> allocator{heap};

  static size_t count_of(size_t bytes) {
    return bytes / sizeof(std::max_align_t) + (bytes % sizeof(std::max_align_t) != 0 ? 1 : 0);
  }
  void* take(size_t bytes) { return allocator.allocate(count_of(bytes)); }
  void give(void* block, size_t bytes) {
    allocator.deallocate(static_cast<std::max_align_t*>(block), count_of(bytes));
  }
};

template <class H>
struct ResourceFace {
  H heap;
  HeapResource<H> resource{heap};

  void* take(size_t bytes) { return resource.allocate(bytes, kBlockAlignment); }
  void give(void* block, size_t bytes) { resource.deallocate(block, bytes, kBlockAlignment); }
};

struct Anything {};

class Standing : public ForwardingHeap<Standing, FullSource> {
 public:
  Standing() = default;
  Standing(const Standing&) = delete;
  Standing& operator=(const Standing&) = delete;
  FullSource& target() const { return target_; }

 private:
  mutable FullSource target_;
};

template <class H>
struct ClassFace {
  using Class = PerClassHeap<Anything, H>;

  void* take(size_t bytes) { return Class::operator new(bytes); }
  void give(void* block, size_t bytes) { Class::operator delete(block, bytes); }
};

}  // namespace

void add_adapt(Compositions& all) {
  all.push_back(compose<Standing>("Forwarding"));
  all.push_back(compose<Referring<RefHeap, PlainSource>>("Ref"));
  all.push_back(compose<Referring<RefHeap, FullSource>>("RefFull"));
  all.push_back(compose<Referring<RefHeap, KingsleyHeap<PlainSource>>>("RefKingsley",
                                                                       {.releases_live = true}));
  all.push_back(compose<Referring<ReturnHeap, SizedSource>>("Return", {.gives_nothing = true}));
  all.push_back(compose<UniqueHeap<KingsleyHeap<MmapHeap>>>("Unique", {.is_shared = true}));
  all.push_back(compose<Pipe<UniqueHeap<KingsleyHeap<MmapHeap>, int>, Size, Freelist>>(
      "UniqueBelow", {.is_shared = true}));

  const Terms own = {.releases_live = true};
  const Terms lea = {.releases_live = true};
  all.push_back(compose<Pipe<PlainSource, Size, Ansi>>("Ansi"));
  all.push_back(compose<Pipe<FullSource, Ansi>>("AnsiFull"));
  all.push_back(compose<Pipe<MmapHeap, Ansi>>("AnsiMmap", {.is_for_threads = true}));
  all.push_back(compose<Pipe<KingsleyHeap<PlainSource>, Ansi>>("AnsiKingsley", own));
  all.push_back(compose<Pipe<LeaHeap<PlainSource>, Ansi>>("AnsiLea", lea));
  all.push_back(compose<Pipe<FullSource, ThrowException>>("Throw"));
  all.push_back(compose<Pipe<KingsleyHeap<PlainSource>, ThrowException>>("ThrowKingsley", own));
  all.push_back(compose<Remembering<ContainerFace<FullSource>>>("StdAllocator"));
  all.push_back(
      compose<Remembering<ContainerFace<KingsleyHeap<PlainSource>>>>("StdAllocatorKingsley", own));
  all.push_back(compose<Remembering<ResourceFace<FullSource>>>("MemoryResource"));
  all.push_back(compose<Remembering<ResourceFace<LeaHeap<PlainSource>>>>("MemoryResourceLea", own));
  all.push_back(
      compose<Remembering<ClassFace<KingsleyHeap<MmapHeap>>>>("PerClass", {.is_shared = true}));
}

}  // namespace mmt::layers::conformance
