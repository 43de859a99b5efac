// The names of malloc and of operator new: each is timed and served by the next library.
#include <mmt/core/compiler.h>

#include "latency/timed.h"
#include "names/front/request.h"

namespace {

struct Around {
  template <class Call>
  MMT_ALWAYS_INLINE static void* allocate(const mmt::names::front::Request&, Call call) {
    return mmt::latency::timed<mmt::latency::Call::kAllocate>(call);
  }
  template <class Call>
  MMT_ALWAYS_INLINE static void* resize(const mmt::names::front::Request&, void*, Call call) {
    return mmt::latency::timed<mmt::latency::Call::kAllocate>(call);
  }
  template <class Call>
  MMT_ALWAYS_INLINE static void release(void*, Call call) {
    mmt::latency::timed<mmt::latency::Call::kFree>(call);
  }
  template <class Call>
  MMT_ALWAYS_INLINE static auto pass(const void*, Call call) {
    return call();
  }
};

}  // namespace

// After Around, which they call.
#include "names/front/c_names.h"
#include "names/front/cxx_names.h"
