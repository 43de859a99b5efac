#include "heap/object/rseq.h"

#include <cstddef>

// From glibc 2.35 on; absent elsewhere.
extern "C" {
extern const ptrdiff_t __rseq_offset __attribute__((weak));
extern const unsigned int __rseq_size __attribute__((weak));
}

namespace mmt::heap {
namespace {

struct RseqArea {  // the kernel's struct rseq, version 0
  uint32_t cpu_id_start;
  uint32_t cpu_id;
  uint64_t rseq_cs;
};

constexpr uint32_t kHighestCpuId = 0x7fffffff;  // above: not registered, or registration failed

// The calling thread's, or nullptr.
RseqArea* registered_area() {
  if (&__rseq_offset == nullptr || &__rseq_size == nullptr || __rseq_size == 0) return nullptr;
  auto* area =
      reinterpret_cast<RseqArea*>(static_cast<char*>(__builtin_thread_pointer()) + __rseq_offset);
  const bool registered = *const_cast<volatile uint32_t*>(&area->cpu_id) <= kHighestCpuId;
  return registered ? area : nullptr;
}

uint64_t* assumed_word() {
  // Without a kernel that looks at it any word serves.
  static uint64_t word;
  return &word;
}

}  // namespace

uint64_t* rseq_word_of_thread(Rseq choice) {
#if defined(__x86_64__)
  if (choice == Rseq::kOff) return nullptr;
  if (RseqArea* area = registered_area()) return &area->rseq_cs;
  return choice == Rseq::kAssume ? assumed_word() : nullptr;
#else
  static_cast<void>(choice);
  return nullptr;
#endif
}

uint32_t cpu_of_thread(uint32_t unknown) {
  const RseqArea* area = registered_area();
  return area != nullptr ? *const_cast<const volatile uint32_t*>(&area->cpu_id_start) : unknown;
}

}  // namespace mmt::heap
