// This layer puts a heap on a thread of its own. Application threads keep free blocks of each size
// class, which they take and give without a lock. A memory thread fills what runs dry and takes
// what is too much. No application thread waits for the memory thread. A thread that finds nothing
// prepared takes a batch under the heap's lock. A thread that finds that lock taken takes a block
// of the reserve. Blocks beyond 32 KiB go to the heap directly.
//
// Any thread may call, also threads that are made and end while the heap is used. The object
// outlives them, and is the only one of its type at a time: Tag tells types apart. Signal handlers
// must not call it. A fork takes prepare_fork(), then after_fork_in_parent() or
// after_fork_in_child().
#pragma once

#include <pthread.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>

#include <mmt/core/compiler.h>
#include <mmt/layers/heap.h>
#include <mmt/layers/source/mmap_heap.h>
#include <mmt/layers/thread/offload/offload_server.h>
#include <mmt/layers/thread/offload/pthread_server.h>
#include <mmt/layers/usage.h>
#include <mmt/sync/server_role.h>

namespace mmt::layers {

// Those of a policy of threads that has some.
template <class Threads>
struct ErrandsOf {
  using Type = NoErrands;
};
template <class Threads>
requires requires { typename Threads::Errands; }
struct ErrandsOf<Threads> {
  using Type = typename Threads::Errands;
};

template <class Threads, class Tag, class Super>
class OffloadHeap : private Super {
  static_assert(
      layers::SizedHeap<Super>,
      "OffloadHeap: its super-heap has no get_size(block) by which a freed block finds its "
      "class; put SizeHeap below it");
  static_assert(layers::kHasSharedSizes<Super>,
                "OffloadHeap: get_size() of its super-heap may not be called beside its malloc and "
                "free; put SizeHeap below it");
  static_assert(!layers::kIsOneSize<Super>, "OffloadHeap: its super-heap serves one size alone");
  static_assert(!layers::kIsFreeingYounger<Super>,
                "OffloadHeap: its super-heap frees younger blocks with each, as ObstackHeap does");
  static_assert(layers::FullyAlignedHeap<Super>,
                "OffloadHeap: the blocks of its super-heap are not aligned for any type");

 public:
  static constexpr size_t kAlignment = layers::kBlockAlignment;
  static constexpr size_t kSkew = 0;
  using ThreadPolicy = Threads;

  constexpr OffloadHeap() : depot_(*this), server_(depot_, clients_) {}
  OffloadHeap(const OffloadHeap&) = delete;
  OffloadHeap& operator=(const OffloadHeap&) = delete;
  ~OffloadHeap();

  void* malloc(size_t bytes) {
    void* block = malloc_quickly(bytes);
    return MMT_LIKELY(block != nullptr) ? block : malloc_slow(bytes);
  }
  void free(void* block) {
    if (MMT_UNLIKELY(!free_quickly(block))) free_slow(block);
  }

  // What needs neither a lock nor a call. nullptr or false: nothing is done; malloc or free does
  // it.
  MMT_ALWAYS_INLINE void* malloc_quickly(size_t bytes) {
    OffloadClient* client = mine();
    if (MMT_UNLIKELY(client == nullptr || bytes > SizeTable::kLargest)) return nullptr;
    Magazine& magazine = client->magazine(depot_.table().class_of(bytes));
    return MMT_UNLIKELY(magazine.is_empty()) ? nullptr : magazine.pop();
  }
  MMT_ALWAYS_INLINE bool free_quickly(void* block) {
    OffloadClient* client = mine();
    if (MMT_UNLIKELY(client == nullptr || !depot_.is_within(block))) return false;
    const uint32_t c = SizeTable::floor_class(Super::get_size(block));
    if (MMT_UNLIKELY(c >= SizeTable::kClasses)) return false;
    Magazine& magazine = client->magazine(c);
    if (MMT_UNLIKELY(magazine.is_full())) return false;
    magazine.push(block);
    return true;
  }

  size_t get_size(const void* block) const {
    return depot_.is_reserved(block) ? reentry::Reserve::size_of(block) : Super::get_size(block);
  }
  bool owns(const void* address) requires layers::OwningHeap<Super> {
    if (depot_.is_reserved(address)) return true;
    if constexpr (layers::kHasSharedOwns<Super>) return Super::owns(address);
    const Hold hold(depot_, Threads::self());
    return Super::owns(address);
  }
  // The same without a lock: also true of others' memory that lies between this heap's, and false
  // of what owns() must be asked of.
  bool owns_quickly(const void* address) const {
    return depot_.is_within(address) || depot_.is_reserved(address);
  }
  layers::Block allocate(size_t bytes, size_t alignment) requires layers::AligningHeap<Super> {
    if (alignment <= kAlignment) {
      void* block = malloc(bytes);
      return block == nullptr ? layers::Block{} : layers::Block{block, get_size(block)};
    }
    open();
    const Hold hold(depot_, Threads::self());
    return depot_.take_aligned(bytes, alignment);
  }
  bool expand(void* block, size_t bytes) {
    const size_t size = get_size(block);
    if (bytes <= size) return true;
    if constexpr (layers::ResizableHeap<Super>) {
      // A small block's place is given by its size, which others may be reading.
      if (size <= SizeTable::kLargest || depot_.is_reserved(block)) return false;
      const Hold hold(depot_, Threads::self());
      return Super::expand(block, bytes);
    }
    return false;
  }
  // PHK's options. Option R concerns callers of realloc, who read it here.
  decltype(auto) options() requires requires(Super& super) { super.options(); }
  { return Super::options(); }
  // What the super-heap keeps of what is free, and whether its heap for large blocks is used.
  void set_trim_threshold(size_t bytes) requires requires(Super& super) {
    super.set_trim_threshold(bytes);
  }
  {
    const Hold hold(depot_, Threads::self());
    Super::set_trim_threshold(bytes);
  }
  void use_large_heap(bool is_used) requires requires(Super& super) {
    super.use_large_heap(is_used);
  }
  {
    const Hold hold(depot_, Threads::self());
    Super::use_large_heap(is_used);
  }
  // What clients hold is free.
  layers::Usage usage() requires requires(Super& super) { super.usage(); };

  // The calling thread ends: what it holds goes to the others. Called by itself where the thread
  // has one of libc's ends.
  void leave();

  void prepare_fork() { static_cast<void>(depot_.lock().lock(Threads::self())); }
  void after_fork_in_parent() { depot_.lock().unlock(Threads::self()); }
  void after_fork_in_child();

  bool is_served() const { return role_.is_running(); }
  // Any thread: an errand waits.
  void wake_server() { server_.wake(); }

 private:
  using DepotType = Depot<Super>;
  using Hold = DepotHold<DepotType>;

  struct Mine {
    uint64_t heap = ~uint64_t{0};  // the id of the heap that what follows is for
    OffloadClient* client = nullptr;
    bool has_ended = false;
  };

  // nullptr: none yet, or none any more.
  MMT_ALWAYS_INLINE OffloadClient* mine() const {
    return MMT_LIKELY(mine_.heap == id_.load(std::memory_order_relaxed)) ? mine_.client : nullptr;
  }

  MMT_NOINLINE void* malloc_slow(size_t bytes);
  MMT_NOINLINE void free_slow(void* block);
  MMT_NOINLINE void* refill(OffloadClient& client, uint32_t c);
  MMT_NOINLINE void overflow(OffloadClient& client, uint32_t c, void* block);
  void* refill_from_depot(OffloadClient& client, uint32_t c);
  bool send_surplus(OffloadClient& client, Magazine& magazine);

  void open();
  OffloadClient* attach();
  OffloadClient* any_client();
  void start_if_due(uint64_t bytes);
  static void serve(void* self);
  static void end_thread(void* self) { static_cast<OffloadHeap*>(self)->leave(); }

  static inline thread_local Mine mine_{};
  static inline std::atomic<uint64_t> last_id_{0};

  DepotType depot_;
  Clients clients_;
  OffloadServer<DepotType, typename ErrandsOf<Threads>::Type> server_;
  sync::ServerRole<> role_;
  Threads threads_;
  std::atomic<uint64_t> id_{0};  // 0: not open
  std::atomic<uint64_t> volume_{0};
  pthread_key_t key_ = 0;
  bool has_key_ = false;
};

template <class Threads = PthreadServer, class Tag = void>
struct Offload {
  template <class Super>
  using Over = OffloadHeap<Threads, Tag, Super>;
};

}  // namespace mmt::layers

#include <mmt/layers/thread/offload/offload_heap_slow.h>
