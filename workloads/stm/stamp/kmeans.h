// kmeans: points are put to the nearest of some centres, and the centres move to the middle of
// their points, until few points change. A transaction adds one point to the sums of its centre.
// The check: the same centres and memberships as a sequential run. Coordinates are multiples of
// 2^-16, so that sums are exact in every order.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "stm/common/world.h"
#include "stm/stamp/result.h"

namespace mmt::workloads::stm::kmeans {

struct Parameters {
  size_t points;
  size_t dimensions;
  size_t centres;  // that are looked for
  double threshold;
};

// Few centres: much contention.
inline Parameters parameters_of(Size size) {
  return by_size<Parameters>(size, {2048, 16, 15, 0.05}, {16384, 24, 15, 0.0001},
                             {65536, 32, 15, 0.00001});
}

inline constexpr size_t kMostLoops = 500;
inline constexpr size_t kChunk = 3;  // points that a thread takes at once

// Points around 16 centres, each dimension with mean 0 and deviation 1.
inline double* make_input(const Parameters& asked) {
  constexpr size_t kMade = 16;
  Random random(1);
  const size_t dimensions = asked.dimensions;
  double* const points =
      static_cast<double*>(plain_allocate(asked.points * dimensions * sizeof(double)));
  double centres[kMade * 64];
  for (size_t i = 0; i < kMade * dimensions; ++i) centres[i] = random.fraction();
  for (size_t i = 0; i < asked.points; ++i) {
    const size_t centre = random.below(kMade);
    for (size_t d = 0; d < dimensions; ++d) {
      const double radius = std::sqrt(-2 * std::log(1 - random.fraction()));
      const double normal = radius * std::cos(2 * 3.14159265358979323846 * random.fraction());
      points[i * dimensions + d] = centres[centre * dimensions + d] + normal / 16;
    }
  }
  for (size_t d = 0; d < dimensions; ++d) {
    double sum = 0;
    double squares = 0;
    for (size_t i = 0; i < asked.points; ++i) sum += points[i * dimensions + d];
    const double mean = sum / static_cast<double>(asked.points);
    for (size_t i = 0; i < asked.points; ++i) {
      const double off = points[i * dimensions + d] - mean;
      squares += off * off;
    }
    const double deviation = std::sqrt(squares / static_cast<double>(asked.points));
    for (size_t i = 0; i < asked.points; ++i) {
      double& at = points[i * dimensions + d];
      at = std::round((at - mean) / deviation * 65536) / 65536;
    }
  }
  return points;
}

struct alignas(64) Sums {
  uint64_t count;
  double of[64];
};

template <class World>
class Clustering {
 public:
  Clustering(World& world, const Parameters& asked, const double* points)
      : world_(world), asked_(asked), points_(points) {
    const size_t dimensions = asked.dimensions;
    const size_t bytes = asked.centres * sizeof(Sums);
    centres_ = static_cast<double*>(plain_allocate(asked.centres * dimensions * sizeof(double)));
    members_ = static_cast<uint64_t*>(plain_allocate(asked.points * sizeof(uint64_t)));
    block_ = static_cast<char*>(plain_allocate(bytes + alignof(Sums)));
    sums_ = reinterpret_cast<Sums*>((reinterpret_cast<uintptr_t>(block_) + alignof(Sums) - 1) &
                                    ~(alignof(Sums) - 1));
    std::fill_n(sums_, asked.centres, Sums{});
    std::fill_n(members_, asked.points, asked.centres);
    Random random(7);
    for (size_t c = 0; c < asked.centres; ++c) {
      const double* const point = points + random.below(asked.points) * dimensions;
      std::copy_n(point, dimensions, centres_ + c * dimensions);
    }
  }
  ~Clustering() {
    plain_free(centres_);
    plain_free(members_);
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

  size_t loops() const { return loops_; }
  bool operator==(const auto& other) const {
    return loops_ == other.loops() &&
           std::equal(members_, members_ + asked_.points, other.members()) &&
           std::equal(centres_, centres_ + asked_.centres * asked_.dimensions, other.centres());
  }
  const uint64_t* members() const { return members_; }
  const double* centres() const { return centres_; }

 private:
  template <class Worker>
  bool add(Worker& worker, uint64_t i) {
    const double* const point = points_ + i * asked_.dimensions;
    const size_t centre = nearest(point);
    Sums& sums = sums_[centre];
    worker.run([&](auto& tx) {
      tx.write(sums.count, tx.read(sums.count) + 1);
      for (size_t d = 0; d < asked_.dimensions; ++d) {
        tx.write(sums.of[d], tx.read(sums.of[d]) + point[d]);
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
      const double* const centre = centres_ + c * asked_.dimensions;
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

  void move_centres() {
    for (size_t c = 0; c < asked_.centres; ++c) {
      Sums& sums = sums_[c];
      for (size_t d = 0; d < asked_.dimensions && sums.count > 0; ++d) {
        centres_[c * asked_.dimensions + d] = sums.of[d] / static_cast<double>(sums.count);
      }
      sums = Sums{};
    }
    const double part = static_cast<double>(changed_) / static_cast<double>(asked_.points);
    more_ = part > asked_.threshold && ++loops_ < kMostLoops;
    changed_ = 0;
    next_ = 0;
  }

  World& world_;
  const Parameters asked_;
  const double* points_;
  double* centres_;
  uint64_t* members_;
  char* block_;
  Sums* sums_;
  alignas(64) uint64_t next_ = 0;
  alignas(64) uint64_t changed_ = 0;
  size_t loops_ = 0;
  bool more_ = true;
};

template <class World>
Result run(World& world, Size size) {
  const Parameters asked = parameters_of(size);
  double* const points = make_input(asked);
  Result result;
  {
    Clustering<World> clustering(world, asked, points);
    Stopwatch clock;
    world.parallel([&](auto& worker, unsigned number) { clustering.work(worker, number); });
    result.seconds = clock.lap();
    PlainWorld alone;
    Clustering<PlainWorld> expected(alone, asked, points);
    alone.parallel([&](auto& worker, unsigned number) { expected.work(worker, number); });
    result.right = clustering == expected;
    result.numbers = {{"loops", clustering.loops()}};
  }
  plain_free(points);
  return result;
}

}  // namespace mmt::workloads::stm::kmeans
