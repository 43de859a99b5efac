// What `mmt doctor` finds out: one fact of this machine and what it means for MMT.
#pragma once

#include <string>
#include <vector>

namespace mmt::cli {

enum class Verdict { kGood, kNote, kBad };

struct Finding {
  std::string name;  // stable, for JSON: "thp", "cpu_quota"
  std::string value;
  Verdict verdict = Verdict::kGood;
  std::string meaning;
};

using Findings = std::vector<Finding>;

// Each looks at one part of the machine and appends what it finds. None fails: what cannot be read
// is found to be unknown.
void examine_cpus(Findings& findings);
void examine_memory(Findings& findings);
void examine_limits(Findings& findings);
void examine_environment(Findings& findings);

// The finding about a control group that lets `left` more tasks start.
Finding finding_of_tasks_left(unsigned left);

// The kernel, the CPUs and the memory: what a benchmark's figures depend on.
Findings examine_machine();

}  // namespace mmt::cli
