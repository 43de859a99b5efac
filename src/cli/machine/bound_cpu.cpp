#include "cli/machine/bound_cpu.h"

#include <cstdlib>
#include <thread>

#include <fmt/format.h>

#include <mmt/sys/thread.h>

#include "command/failure.h"

namespace mmt::cli {

using command::Failure;

// Only the kernel knows which CPUs the memory thread could be bound to. They may be more than the
// program's own affinity names, and fewer than there are where a cpuset stands before. It is asked
// on a thread of its own, as a program inherits what is asked on this one.
void check_cpu(const std::string& value, int status) {
  const int cpu = value.empty() ? -1 : std::atoi(value.c_str());
  if (cpu < 0) return;
  bool bound = false;
  std::thread([cpu, &bound] { bound = sys::bind_to_cpu(static_cast<unsigned>(cpu)); }).join();
  if (bound) return;
  throw Failure(
      status,
      fmt::format("option 'cpu': the memory thread cannot be bound to CPU {}: there is none "
                  "of that number that this process may use",
                  cpu));
}

}  // namespace mmt::cli
