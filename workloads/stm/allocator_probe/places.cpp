#include "stm/allocator_probe/places.h"

#include <cstdio>
#include <cstdlib>
#include <map>

namespace mmt::workloads::stm {

std::vector<uintptr_t> places_of(size_t bytes, size_t count) {
  std::vector<uintptr_t> places;
  places.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    void* const block = std::malloc(bytes);
    if (block == nullptr) {
      std::fprintf(stderr, "allocator_probe: no memory\n");
      std::exit(1);
    }
    places.push_back(reinterpret_cast<uintptr_t>(block));
  }
  return places;
}

size_t usual_gap(const std::vector<uintptr_t>& places) {
  std::map<size_t, size_t> counts;
  for (size_t i = 1; i < places.size(); ++i) {
    const uintptr_t low = places[i - 1], high = places[i];
    ++counts[low < high ? high - low : low - high];
  }
  size_t usual = 0, most = 0;
  for (const auto& [gap, count] : counts) {
    if (count > most) usual = gap, most = count;
  }
  return usual;
}

double sharing(const std::vector<uintptr_t>& places, unsigned shift) {
  size_t shared = 0;
  for (size_t i = 1; i < places.size(); ++i) {
    shared += (places[i - 1] >> shift) == (places[i] >> shift) ? 1 : 0;
  }
  return static_cast<double>(shared) / static_cast<double>(places.size() - 1);
}

}  // namespace mmt::workloads::stm
