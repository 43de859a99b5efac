#pragma once
// The OS contract for memory. Addresses and lengths are multiples of kPageSize unless stated.
// No call touches errno, allocates through malloc, or aborts. All are thread-safe.
// A program may have a filter refuse unusual flags: what they only improve is done without them.
// Doubles: Real is src/sys/linux/pages.cpp; Fake is src/sys/fake/pages.cpp, the real calls behind a
// switch that makes the n-th one fail.
#include <cstddef>
#include <cstdint>

namespace mmt::sys {

inline constexpr size_t kPageSize = 4096;
inline constexpr size_t kHugePageSize = size_t{2} << 20;

enum class MapResult : uint8_t {
  kMapped,    // [at, at+bytes) is now private, zero-filled, readable and writable
  kOccupied,  // something else lies there; nothing changed
  kNoMemory,  // a limit (RLIMIT_AS, RLIMIT_DATA, overcommit, map count) forbids it
};

// Maps zero pages at exactly `at`, never over an existing mapping.
MapResult map_at(void* at, size_t bytes);

// Maps zero pages wherever the kernel likes. nullptr when a limit forbids it.
void* map_anywhere(size_t bytes);

void unmap(void* at, size_t bytes);

// Makes a mapping longer or shorter, which may move it; what it gains reads as zero. Its new place;
// nullptr: a limit forbids it, and nothing has changed.
void* resize_mapping(void* at, size_t bytes, size_t new_bytes);

// Makes the pages resident and writable before use (MADV_POPULATE_WRITE). Contents are kept. False
// when the kernel cannot, or memory is short: the pages are then faulted in at first touch.
bool populate(void* at, size_t bytes);

// Which pages are in memory: bit 0 of a byte for each. False where the kernel does not say, or may
// not be asked. A page that was only read counts, one that was swapped out does not.
bool look_for_pages(const void* at, size_t bytes, unsigned char* resident);

// Asks for huge pages at the next faults of the range. It returns false if the system refuses.
bool prefer_huge_pages(void* at, size_t bytes);

// Gives the pages' memory back to the OS; they read as zero afterwards.
bool discard(void* at, size_t bytes);

// Replaces whatever lies in the range (which the caller owns, mapped or not) by fresh zero pages.
// Where pages were moved here from elsewhere, the range then merges with its neighbours' mapping
// again. False: a limit forbids it, and the range may have been unmapped.
bool renew(void* at, size_t bytes);

// Undoes what was done to the pages' protection, locks and advice: they keep their memory, and can
// be written. False: the kernel refused, and they are as they were or half way.
bool restore(void* at, size_t bytes);

enum class MoveResult : uint8_t {
  kMoved,    // the old range stays mapped and reads as zero, unless stated otherwise
  kRefused,  // the system does not have such a call, or forbids it: nothing has changed
  kFailed,  // the pages are where they were, but `to` may have been unmapped; renew() maps it again
};

// Moves the pages' memory to `to` (mapped, owned by the caller, disjoint) without copying.
MoveResult move_pages(void* from, void* to, size_t bytes);

// The same for a range that is one mapping. At its new place it is one mapping of new_bytes >=
// bytes, and what it gains reads as zero. Once moved, the old range is no longer mapped.
MoveResult move_mapping(void* from, size_t bytes, void* to, size_t new_bytes);

// The same for a range that is several mappings of any protection, with holes perhaps; `to` is
// mapped and holds no pages. What was a hole reads as zero there. Once moved, the old range is no
// longer mapped. Never kFailed: what was moved is moved back, and `to` may be unmapped in part.
MoveResult move_pieces(void* from, void* to, size_t bytes);

// Makes one mapping of a range of private pages, all of which can be read and written. The pages
// keep what they hold. The kernel wants one mapping for some calls. False: it is as it was.
bool join_mappings(void* at, size_t bytes);

// A copy that is refused where it meets what cannot be read: false, and part of it was made.
bool copy_if_readable(void* to, const void* from, size_t bytes);

// Lets the pages be read and written, and leaves everything else as it is. It returns false if the
// system refuses.
bool make_writable(void* at, size_t bytes);

}  // namespace mmt::sys
