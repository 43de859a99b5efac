#include "heap/pages/page_hooks.h"

#include "heap/object/heap.h"

namespace mmt::heap {
namespace {

constinit PageHooks hooks;

}  // namespace

void use_page_hooks(const PageHooks& in_use) { hooks = in_use; }

bool pages_are_watched() { return hooks.are_set != nullptr && hooks.are_set(); }

bool pages_stay(Heap& heap) { return heap.keeps_all() || pages_are_watched(); }

bool (*discard_for_watchers())(void* at, size_t bytes) {
  return pages_are_watched() ? hooks.discard : nullptr;
}

bool unmap_for_watchers(void* at, size_t bytes) {
  return pages_are_watched() && (hooks.unmap(at, bytes) || (hooks.discard(at, bytes), false));
}

void tell_watchers_of_loss(void* at, size_t bytes) {
  if (pages_are_watched() && !hooks.discard(at, bytes)) hooks.unmap(at, bytes);
}

}  // namespace mmt::heap
