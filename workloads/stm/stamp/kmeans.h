// kmeans: points are put to the nearest of some centres, and the centres move to the middle of
// their points, until few points change. A transaction adds one point to the sums of its centre.
// The check: the same centres and memberships as a sequential reference.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <new>

#include "stm/common/world.h"
#include "stm/stamp/kmeans/input.h"
#include "stm/stamp/kmeans/reference.h"
#include "stm/stamp/result.h"

namespace mmt::workloads::stm::kmeans {

template <class World>
class Clustering {
 public:
  Clustering(World& world, const Parameters& asked, double* const* points)
      : world_(world),
        asked_(asked),
        points_(points),
        members_(plain_array<uint64_t>(asked.points)),
        centres_(make_rows(asked.centres, asked.dimensions)),
        counts_(plain_array<uint64_t*>(asked.centres)),
        sums_(plain_array<double*>(asked.centres)) {
    // The count and the sums of each centre lie in cache lines of their own.
    constexpr size_t kLine = 64;
    const size_t each = ((1 + asked.dimensions) * 8 + kLine - 1) / kLine * kLine;
    block_ = plain_array<char>(asked.centres * each + kLine);
    char* const lines = reinterpret_cast<char*>((reinterpret_cast<uintptr_t>(block_) + kLine - 1) &
                                                ~uintptr_t{kLine - 1});
    Random& random = *::new (plain_allocate(sizeof(Random))) Random(7);
    for (size_t c = 0; c < asked.centres; ++c) {
      counts_[c] = reinterpret_cast<uint64_t*>(lines + c * each);
      sums_[c] = reinterpret_cast<double*>(lines + c * each + 8);
      forget_sums(c);
      std::copy_n(points[random.below(asked.points)], asked.dimensions, centres_[c]);
    }
    plain_free(&random);
    std::fill_n(members_, asked.points, asked.centres);
  }
  ~Clustering() {
    plain_free(members_);
    free_rows(centres_);
    plain_free(counts_);
    plain_free(sums_);
    plain_free(block_);
  }
  Clustering(const Clustering&) = delete;
  Clustering& operator=(const Clustering&) = delete;

  template <class Worker>
  void work(Worker& worker, unsigned number) {
    for (bool more = true; more;) {
      uint64_t changed = 0;
      for (;;) {
        const uint64_t begin = worker.run([&](auto& tx) {
          const uint64_t at = tx.read(next_);
          tx.write(next_, at + kChunk);
          return at;
        });
        if (begin >= asked_.points) break;
        const uint64_t end = std::min<uint64_t>(asked_.points, begin + kChunk);
        for (uint64_t i = begin; i < end; ++i) changed += add(worker, i);
      }
      worker.run([&](auto& tx) { tx.write(changed_, tx.read(changed_) + changed); });
      world_.wait();
      if (number == 0) move_centres();
      world_.wait();
      more = more_;
    }
  }

  // The caller frees it.
  Found found() const {
    const size_t values = asked_.centres * asked_.dimensions;
    const Found found{loops_, plain_array<uint64_t>(asked_.points), plain_array<double>(values)};
    std::copy_n(members_, asked_.points, found.members);
    std::copy_n(centres_[0], values, found.centres);
    return found;
  }

 private:
  template <class Worker>
  bool add(Worker& worker, uint64_t i) {
    const double* const point = points_[i];
    const size_t centre = nearest(point);
    uint64_t& count = *counts_[centre];
    double* const sums = sums_[centre];
    worker.run([&](auto& tx) {
      tx.write(count, tx.read(count) + 1);
      for (size_t d = 0; d < asked_.dimensions; ++d) {
        tx.write(sums[d], tx.read(sums[d]) + point[d]);
      }
    });
    const bool changes = members_[i] != centre;
    members_[i] = centre;
    return changes;
  }

  size_t nearest(const double* point) const {
    size_t best = 0;
    double least = HUGE_VAL;
    for (size_t c = 0; c < asked_.centres; ++c) {
      const double* const centre = centres_[c];
      double distance = 0;
      for (size_t d = 0; d < asked_.dimensions; ++d) {
        const double off = point[d] - centre[d];
        distance += off * off;
      }
      if (distance < least) {
        least = distance;
        best = c;
      }
    }
    return best;
  }

  void forget_sums(size_t centre) {
    *counts_[centre] = 0;
    std::fill_n(sums_[centre], asked_.dimensions, 0);
  }

  void move_centres() {
    for (size_t c = 0; c < asked_.centres; ++c) {
      for (size_t d = 0; d<asked_.dimensions&& * counts_[c]> 0; ++d) {
        centres_[c][d] = sums_[c][d] / static_cast<double>(*counts_[c]);
      }
      forget_sums(c);
    }
    const double part = static_cast<double>(changed_) / static_cast<double>(asked_.points);
    more_ = part > asked_.threshold && ++loops_ < kMostLoops;
    changed_ = 0;
    next_ = 0;
  }

  World& world_;
  const Parameters asked_;
  double* const* const points_;
  uint64_t* const members_;
  double** const centres_;
  uint64_t** const counts_;  // of points, by centre
  double** const sums_;
  char* block_;
  alignas(64) uint64_t next_ = 0;
  alignas(64) uint64_t changed_ = 0;
  size_t loops_ = 0;
  bool more_ = true;
};

template <class World>
Result run(World& world, Size size) {
  const Parameters asked = parameters_of(size);
  double** const points = make_input(asked);
  Found found{};
  Result result;
  {
    Clustering<World> clustering(world, asked, points);
    Stopwatch clock;
    world.parallel([&](auto& worker, unsigned number) { clustering.work(worker, number); });
    result.seconds = clock.lap();
    found = clustering.found();
  }
  result.right = Reference(asked, points).is(found);
  result.numbers = {{"loops", found.loops}};
  free_found(found);
  free_rows(points);
  return result;
}

}  // namespace mmt::workloads::stm::kmeans
