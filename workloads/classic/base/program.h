// How a classic program begins and ends: it names itself, reads the flags that all have, and
// reports what it measured. Allocates nothing.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "base/fail.h"
#include "common/flags.h"
#include "common/report.h"

namespace mmt::workloads::classic {

struct Metric {
  std::string_view key;
  double value;
  std::string_view unit;
};

inline Metric seconds(std::string_view key, double value) { return {key, value, "s"}; }
inline Metric count(std::string_view key, uint64_t value) {
  return {key, static_cast<double>(value), "count"};
}

class Program : public Flags {
 public:
  Program(const char* name, int argc, char** argv) : Flags(name, argc, argv), name_(name) {
    name_program(name);
  }

  // In the order of --help.
  const bool small = given("small");
  const bool plain = given("plain");

  // Without --free, Olden's programs leave their memory to the system as the originals do.
  bool frees() { return given("free"); }

  // Returns main's status. Nothing is reported with --plain, as times differ from run to run.
  int report(std::initializer_list<Metric> metrics) const {
    if (plain) return 0;
    Report report(name_);
    for (const Metric& metric : metrics) report.add(metric.key, metric.value, metric.unit);
    return report.finish();
  }

 private:
  const char* const name_;
};

}  // namespace mmt::workloads::classic
