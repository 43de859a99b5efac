#include "harden/memory_fault.h"

#include <ucontext.h>

#include "harden/guards.h"
#include "harden/object.h"
#include "harden/place.h"
#include "harden/seal.h"

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

bool tell_of_memory_fault(const siginfo_t& info, const void* context) {
  const void* const address = info.si_addr;
  const Access access = access_of(context);
  if (!access.is_write) return false;
  if (open_sealed(address, access.instruction)) return true;
  // Pages that are there again belong to somebody else, who protects them.
  const bool is_there = info.si_signo == SIGSEGV && info.si_code == SEGV_ACCERR;
  tell_of_guarded_write(address, is_there, access.instruction);
  return false;
}

}  // namespace mmt::harden
