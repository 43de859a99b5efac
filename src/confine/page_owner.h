#pragma once
// These functions tell a heap of calls that change pages. So what the program did to the pages of a
// block does not come back with the block.
#include <concepts>
#include <cstddef>

namespace mmt::confine {

// All functions are static. Any thread may call them, in any context. They take any range: most lie
// elsewhere.
template <class T>
concept IsPageOwner = requires(const void* start, size_t bytes, bool (*are_set)(),
                               bool (*discard)(void*, size_t), bool (*unmap)(void*, size_t)) {
  // Protection, locks, advice, policies.
  T::note_flags(start, bytes);
  // What is mapped there.
  T::note_mapping(start, bytes);
  // The pages are about to be moved by one call; comes before note_mapping.
  T::about_to_move(start, bytes);
  // All memory is locked from now on, or no longer.
  T::note_mlockall(true);
  // From now on pages may be changed by calls that cannot be seen.
  T::note_unseen();
  // Whether somebody watches the calls that pages are lost by; these calls as the program makes
  // them. `discard` is false, and nothing was done, where nobody would see it.
  T::watch(are_set, discard, unmap);
};

}  // namespace mmt::confine
