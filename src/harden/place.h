#pragma once
// What lies at an address that the program passes as a block's.
#include <cstddef>
#include <cstdint>

#include "harden/object.h"

namespace mmt::harden {

struct Place {
  enum class Kind : uint8_t {
    kNone,    // no block, and none of the heap's memory, or memory that is no block's
    kSmall,   // a block of a size class
    kLarge,   // one of whole slots
    kMapped,  // one with a mapping of its own, which has no state
  };

  Kind kind = Kind::kNone;
  Object object{};        // the block
  bool is_start = false;  // the address is where it begins
};

// Any thread: what is found of a block that another thread frees meanwhile may be old.
Place place_of(const void* address);

}  // namespace mmt::harden
