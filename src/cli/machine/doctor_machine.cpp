// The facts of this machine that both `mmt doctor` and the reports of `mmt bench` carry.
#include <gnu/libc-version.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <fmt/format.h>

#include "cli/machine/findings.h"
#include "report/units.h"

namespace mmt::cli {

Findings examine_machine() {
  Findings findings;
  utsname system{};
  ::uname(&system);
  findings.push_back({"kernel",
                      fmt::format("{} {} {}", system.sysname, system.release, system.machine),
                      Verdict::kGood, ""});
  findings.push_back(
      {"libc", fmt::format("glibc {}", ::gnu_get_libc_version()), Verdict::kGood, ""});
  const double memory =
      static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  findings.push_back({"memory", report::format_bytes(memory), Verdict::kGood, ""});
  examine_cpus(findings);
  examine_memory(findings);
  return findings;
}

}  // namespace mmt::cli
