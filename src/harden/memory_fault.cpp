#include "harden/memory_fault.h"

#include <signal.h>
#include <ucontext.h>

#include "harden/guards.h"
#include "harden/object.h"
#include "harden/place.h"

namespace mmt::harden {
namespace {

struct Access {
  bool is_write;
  const void* instruction;
};

Access access_of(const void* context) {
  const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  return {(machine.gregs[REG_ERR] & 2) != 0, reinterpret_cast<const void*>(machine.gregs[REG_RIP])};
#else
  return {true, reinterpret_cast<const void*>(machine.pc)};
#endif
}

}  // namespace

bool tell_of_memory_fault(const void* address, const void* context) {
  const Access access = access_of(context);
  if (access.is_write) tell_of_guarded_write(address, access.instruction);
  return false;
}

}  // namespace mmt::harden
