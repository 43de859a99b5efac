// The points, and what is looked for among them. Coordinates are multiples of 2^-16, so that sums
// are exact in every order.
#pragma once

#include <cmath>
#include <cstdint>
#include <new>

#include "stm/common/regions.h"
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
  const size_t centres = is_low(size) ? 40 : 15;
  return by_size<Parameters>(size, {2048, 16, centres, 0.05}, {8192, 24, centres, 0.0001},
                             {16384, 24, centres, 0.0001}, {65536, 32, centres, 0.00001});
}

inline constexpr size_t kMostLoops = 500;
inline constexpr size_t kChunk = 3;  // points that a thread takes at once

template <class T>
T* plain_array(size_t count) {
  return static_cast<T*>(plain_allocate(count * sizeof(T)));
}

// An array of rows in one block.
inline double** make_rows(size_t rows, size_t columns) {
  double** const made = plain_array<double*>(rows);
  double* const data = plain_array<double>(rows * columns);
  for (size_t i = 0; i < rows; ++i) made[i] = data + i * columns;
  return made;
}
inline void free_rows(double** rows) {
  plain_free(rows[0]);
  plain_free(rows);
}

// Points around 16 centres.
inline double* make_raw(const Parameters& asked) {
  constexpr size_t kMade = 16;
  Random& random = *::new (plain_allocate(sizeof(Random))) Random(1);
  const size_t dimensions = asked.dimensions;
  double* const points = plain_array<double>(asked.points * dimensions);
  double* const centres = plain_array<double>(kMade * dimensions);
  for (size_t i = 0; i < kMade * dimensions; ++i) centres[i] = random.fraction();
  for (size_t i = 0; i < asked.points; ++i) {
    const size_t centre = random.below(kMade);
    for (size_t d = 0; d < dimensions; ++d) {
      const double radius = std::sqrt(-2 * std::log(1 - random.fraction()));
      const double normal = radius * std::cos(2 * 3.14159265358979323846 * random.fraction());
      points[i * dimensions + d] = centres[centre * dimensions + d] + normal / 16;
    }
  }
  plain_free(centres);
  plain_free(&random);
  return points;
}

struct Moments {
  double mean;
  double deviation;
};

inline Moments* moments_of(const double* column, size_t count) {
  double sum = 0;
  double squares = 0;
  for (size_t i = 0; i < count; ++i) sum += column[i];
  const double mean = sum / static_cast<double>(count);
  for (size_t i = 0; i < count; ++i) squares += (column[i] - mean) * (column[i] - mean);
  Moments* const moments = plain_array<Moments>(1);
  *moments = {mean, std::sqrt(squares / static_cast<double>(count))};
  return moments;
}

// The points as rows, each dimension with mean 0 and deviation 1, in units that sums keep exactly.
inline double** make_input(const Parameters& asked) {
  double* const raw = make_raw(asked);
  double** const points = make_rows(asked.points, asked.dimensions);
  double* const column = plain_array<double>(asked.points);
  for (size_t d = 0; d < asked.dimensions; ++d) {
    for (size_t i = 0; i < asked.points; ++i) column[i] = raw[i * asked.dimensions + d];
    Moments* const moments = moments_of(column, asked.points);
    for (size_t i = 0; i < asked.points; ++i) {
      points[i][d] = std::round((column[i] - moments->mean) / moments->deviation * 65536) / 65536;
    }
    plain_free(moments);
  }
  plain_free(column);
  plain_free(raw);
  return points;
}

// What is found: of each point its centre, and the centres.
struct Found {
  size_t loops;
  uint64_t* members;
  double* centres;
};
inline void free_found(const Found& found) {
  plain_free(found.members);
  plain_free(found.centres);
}
}  // namespace mmt::workloads::stm::kmeans
