// All choices of a transactional memory that change how it works, for tests that run on each.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include <mmt/stm/options.h>

namespace mmt::stm {

struct Setting {
  std::string name;
  Options options;
};
inline void PrintTo(const Setting& setting, std::ostream* out) { *out << setting.name; }

inline const char* name_of(Design design) {
  constexpr const char* kNames[] = {"encounter", "commit", "through", "norec"};
  return kNames[static_cast<int>(design)];
}

// The options are for tests in which a thread commits on one mmt::stm::Thread within its attempt on
// another. A commit that makes privatization safe would wait for that attempt.
inline Options options_for_one_thread() {
  Options options;
  options.safe_privatization = false;
  return options;
}

// Each design comes with tables of these sizes, with the clock of each commit and with a deferred
// one. One setting has a hash that takes a computation, whose reads go another way.
inline std::vector<Setting> settings(const std::vector<unsigned>& log2_orecs) {
  std::vector<Setting> all;
  for (int design = 0; design < 4; ++design) {
    for (const unsigned log2 : log2_orecs) {
      for (const bool deferred : {false, true}) {
        Options options = options_for_one_thread();
        options.design = static_cast<Design>(design);
        options.log2_orecs = log2;
        options.deferred_clock = deferred;
        std::string name = name_of(options.design);
        const bool norec = options.design == Design::kNorec;
        if (norec && (deferred || log2 != log2_orecs.front())) continue;
        if (!norec) name += "_" + std::to_string(log2) + (deferred ? "_deferred" : "");
        all.push_back({name, options});
      }
    }
  }
  Options hashed = options_for_one_thread();
  hashed.hash = Hash::kMultiply;
  hashed.log2_orecs = log2_orecs.back();
  all.push_back({"encounter_multiply", hashed});
  return all;
}

}  // namespace mmt::stm
