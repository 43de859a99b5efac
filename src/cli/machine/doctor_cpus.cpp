// `mmt doctor`: CPUs, their quota, and what they share.
#include <sched.h>
#include <sys/rseq.h>

#include <fstream>
#include <set>

#include <fmt/format.h>

#include <mmt/sys/cpus.h>

#include "cli/machine/findings.h"
#include "command/first_line.h"

namespace mmt::cli {

using command::first_line;

namespace {

constexpr const char* kCpuFolder = "/sys/devices/system/cpu/cpu";

std::set<int> usable_cpus() {
  std::set<int> cpus;
  cpu_set_t mask;
  if (::sched_getaffinity(0, sizeof mask, &mask) != 0) return cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(static_cast<unsigned>(cpu), &mask)) cpus.insert(cpu);
  }
  return cpus;
}

// Groups of CPUs that share something, as the kernel writes them ("0-1", "0,4"), each once.
std::set<std::string> groups(const std::set<int>& cpus, const std::string& file) {
  std::set<std::string> all;
  for (const int cpu : cpus) {
    const std::string line = first_line(fmt::format("{}{}/{}", kCpuFolder, cpu, file));
    if (!line.empty()) all.insert(line);
  }
  return all;
}

bool is_shared(const std::set<std::string>& groups) {
  for (const std::string& group : groups) {
    if (group.find_first_of(",-") != std::string::npos) return true;
  }
  return false;
}

std::string joined(const std::set<std::string>& parts) {
  std::string out;
  for (const std::string& part : parts) out += (out.empty() ? "" : "; ") + part;
  return out;
}

std::string cpu_model() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown";
}

void examine_quota(Findings& findings) {
  const unsigned percent = sys::cgroup_quota_percent();
  if (percent == 0) {
    findings.push_back({"cpu_quota", "none", Verdict::kGood, "the memory thread may run freely"});
    return;
  }
  const bool enough = percent >= 200;
  findings.push_back({"cpu_quota", fmt::format("{:.2f} CPUs", percent / 100.0),
                      enough ? Verdict::kGood : Verdict::kBad,
                      enough ? "enough for the program and the memory thread"
                             : "below two CPUs: the memory thread only gives memory back"});
}

void examine_caches(const std::set<int>& cpus, Findings& findings) {
  for (int index = 0; index < 8; ++index) {
    const std::string folder = fmt::format("cache/index{}/", index);
    const auto type = groups(cpus, folder + "type");
    const auto level = groups(cpus, folder + "level");
    if (type.empty() || *type.begin() == "Instruction") continue;
    const auto shared = groups(cpus, folder + "shared_cpu_list");
    const bool last = groups(cpus, fmt::format("cache/index{}/type", index + 1)).empty();
    const bool together = is_shared(shared);
    findings.push_back(
        {fmt::format("cache_l{}", *level.begin()),
         fmt::format("{}, CPUs {}", joined(groups(cpus, folder + "size")), joined(shared)),
         last && !together && cpus.size() > 1 ? Verdict::kNote : Verdict::kGood,
         together ? "shared: what the memory thread prepares is near"
         : last   ? "not shared: hand-over goes through memory"
                  : "each core has its own"});
  }
}

}  // namespace

void examine_cpus(Findings& findings) {
  const unsigned usable = sys::affinity_cpus();
  const auto cpus = usable_cpus();
  findings.push_back({"cpu", cpu_model(), Verdict::kGood, ""});
  findings.push_back({"cpus", fmt::format("{} usable", usable),
                      usable >= 2 ? Verdict::kGood : Verdict::kBad,
                      usable >= 2 ? "the memory thread has a CPU to run on"
                                  : "the memory thread only gives memory back"});
  examine_quota(findings);
  const auto siblings = groups(cpus, "topology/thread_siblings_list");
  const bool smt = is_shared(siblings);
  findings.push_back({"smt", smt ? joined(siblings) : "none", smt ? Verdict::kNote : Verdict::kGood,
                      smt ? "a spinning memory thread slows the program on its sibling"
                          : "the memory thread slows no sibling"});
  examine_caches(cpus, findings);
  const bool rseq = __rseq_size != 0;
  findings.push_back({"rseq", rseq ? "registered" : "not registered",
                      rseq ? Verdict::kGood : Verdict::kNote,
                      rseq ? "restartable fast paths can be used"
                           : "no restartable fast paths: a guard on every call instead"});
}

}  // namespace mmt::cli
