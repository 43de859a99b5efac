#pragma once
// A list of what the memory thread does, in the order in which it does it. Each step has
//   bool run(uint64_t now);           // does what is due; true: something was done
//   int64_t wait(uint64_t now) const; // ns until run() has work; 0: at once; negative: not by
//   itself
// `now` is monotonic, ns. The memory thread alone runs them, and holds no lock as it does.
#include <algorithm>
#include <cstdint>
#include <tuple>
#include <type_traits>

namespace mmt::heap {

// Returns the sooner of two waits. Negative waits are without limit.
constexpr int64_t sooner(int64_t a, int64_t b) {
  if (a < 0 || b < 0) return std::max(a, b);
  return std::min(a, b);
}

template <class... Each>
struct StepList {
  // Makes all of them of the same context.
  template <class Context>
  struct Made {
    explicit Made(Context& context) : all((static_cast<void>(sizeof(Each)), context)...) {}
    template <class Step>
    Step& get() {
      return std::get<Step>(all);
    }
    std::tuple<Each...> all;
  };

  template <class Step>
  static constexpr bool kHas = (std::is_same_v<Step, Each> || ...);

  // What is seen to have been done is told to the steps that follow, by `worked`.
  template <class Steps>
  static bool run(Steps& steps, uint64_t now, bool& worked) {
    ((worked |= steps.template get<Each>().run(now)), ...);
    return worked;
  }
  // In this order: what another thread hands on meanwhile, it hands to a later step.
  template <class Steps>
  static int64_t wait(Steps& steps, uint64_t now) {
    int64_t wait = -1;
    ((wait = wait == 0 ? 0 : sooner(wait, steps.template get<Each>().wait(now))), ...);
    return wait;
  }
};

}  // namespace mmt::heap
