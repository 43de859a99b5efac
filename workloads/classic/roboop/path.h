// A path of the joints through given points, one a second: natural cubic splines, so that velocity
// and acceleration are continuous.
#pragma once

#include <cstddef>

#include "roboop/matrix.h"

namespace mmt::workloads::classic::roboop {

struct Motion {
  Matrix q;
  Matrix velocity;
  Matrix acceleration;
};

class Path {
 public:
  // Through the columns of `points`, of which there are at least 2.
  explicit Path(const Matrix& points);
  ~Path() { delete[] pieces_; }
  Path(const Path&) = delete;
  Path& operator=(const Path&) = delete;

  // Seconds from the first point to the last.
  double duration() const { return static_cast<double>(count_); }
  // `time` is within the duration.
  Motion at(double time) const;

 private:
  // q = a + b t + c t^2 + d t^3 from the piece's start on.
  struct Piece {
    Matrix a, b, c, d;
  };

  size_t count_;
  Piece* pieces_;
};

}  // namespace mmt::workloads::classic::roboop
