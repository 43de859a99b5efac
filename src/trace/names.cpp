// The names of malloc and of operator new: each is served by the next library, and recorded.
#include <bit>
#include <cstdint>

#include <mmt/core/compiler.h>

#include "names/front/request.h"
#include "trace/recorder.h"

namespace {

using mmt::names::front::Request;
using mmt::trace::leave;
using mmt::trace::RecordKind;
using mmt::trace::Side;
using mmt::trace::word_of;

// A block is told of while nobody else can have its address: after it was given, before it goes.
struct Around {
  template <class Call>
  MMT_ALWAYS_INLINE static void* allocate(const Request& request, Call call) {
    void* const block = call();
    if (MMT_UNLIKELY(block == nullptr)) return block;
    const auto kind = request.zeroed ? RecordKind::kAllocateZeroed : RecordKind::kAllocate;
    const auto alignment =
        static_cast<uint64_t>(request.alignment == 0 ? 0 : std::bit_width(request.alignment) - 1);
    leave<Side::kAfter>(word_of(kind, block, alignment), request.bytes, request.caller);
    return block;
  }

  template <class Call>
  MMT_ALWAYS_INLINE static void* resize(const Request& request, void* block, Call call) {
    // libc's reallocarray calls realloc: both are of the outer one's caller.
    if (block == nullptr) {
      const void* const outer = mmt::trace::outer_caller;
      return pass(outer != nullptr ? outer : request.caller,
                  [&] { return allocate(request, call); });
    }
    leave<Side::kBefore>(word_of(RecordKind::kResizeBegin, block), 0, nullptr);
    void* const moved = call();
    leave<Side::kAfter>(word_of(RecordKind::kResizeEnd, moved), request.bytes, request.caller);
    return moved;
  }

  template <class Call>
  MMT_ALWAYS_INLINE static void release(void* block, Call call) {
    if (block != nullptr) leave<Side::kBefore>(word_of(RecordKind::kFree, block), 0, nullptr);
    call();
  }

  template <class Call>
  MMT_ALWAYS_INLINE static auto pass(const void* caller, Call call) {
    // A call that leaves no record, as free(nullptr), must not tell of the next one's caller.
    struct Told {
      ~Told() { mmt::trace::outer_caller = nullptr; }
    };
    mmt::trace::outer_caller = caller;
    const Told told;
    return call();
  }
};

}  // namespace

// After Around, which they call.
#include "names/front/c_names.h"
#include "names/front/cxx_names.h"
