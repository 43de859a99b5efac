#include "beside/bindings.h"

#include <sys/mman.h>

#include <cstring>

#include "sys/loaded_object.h"

namespace mmt::beside {

void Binding::find(const char* name, void* ours, void* direct) {
  const sys::LoadedObject program = sys::program_object();
  // Such entries are sealed, or will be.
  if (program.is_bound_at_once()) return;
  for (const auto& call : program.calls()) {
    if (std::strcmp(program.name_of(call), name) != 0) continue;
    if ((program.protection_of(program.place_of(call)) & PROT_WRITE) == 0) return;
    ours_ = ours;
    direct_ = direct;
    entry_.store(reinterpret_cast<std::atomic<void*>*>(program.place_of(call)),
                 std::memory_order_release);
    return;
  }
}

// Over nothing but the name and what was put over it; again, should the wish have changed
// meanwhile.
void Binding::update() {
  std::atomic<void*>* const entry = entry_.load(std::memory_order_acquire);
  if (entry == nullptr) return;
  for (;;) {
    void* now = entry->load(std::memory_order_seq_cst);
    void* const target = is_direct_.load(std::memory_order_seq_cst) ? direct_ : ours_;
    if (now == target || (now != ours_ && now != direct_)) return;
    entry->compare_exchange_strong(now, target, std::memory_order_seq_cst);
  }
}

}  // namespace mmt::beside
