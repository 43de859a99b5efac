#pragma once
// The program itself reaches malloc and free by the entries of its procedure linkage table. The
// dynamic linker writes the function's address into an entry at the first call. Where the entries
// may be written (the program was not linked with -z now), another function can be put there. A
// call then costs nothing more than without us.
#include <atomic>

namespace mmt::beside {

// One name's entry in the program itself; other objects keep to the name.
class Binding {
 public:
  // By one thread at a time; again in a fork's child. `ours` is what the dynamic linker finds for
  // the name, `direct` what may take its place. Nothing is allocated, nothing locked.
  void find(const char* name, void* ours, void* direct);
  bool is_found() const { return entry_.load(std::memory_order_acquire) != nullptr; }

  // Whether the program's calls lead to `direct` from now on, or to the name. Any thread may call
  // it.
  void lead_direct(bool is_direct) {
    // Sequentially consistent, as in update(): of two that write the entry at the same time the
    // later one sees the other's wish.
    is_direct_.store(is_direct, std::memory_order_seq_cst);
    update();
  }
  // The dynamic linker may have bound the entry since: to be called now and then. Any thread may
  // call it.
  void update();

 private:
  void* ours_ = nullptr;
  void* direct_ = nullptr;
  std::atomic<std::atomic<void*>*> entry_{nullptr};
  std::atomic<bool> is_direct_{false};
};

}  // namespace mmt::beside
