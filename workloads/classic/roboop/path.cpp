#include "roboop/path.h"

#include <algorithm>

#include "base/fail.h"

namespace mmt::workloads::classic::roboop {

namespace {

Matrix column(const Matrix& points, size_t index) {
  return points.block(0, index, points.rows(), 1);
}

}  // namespace

Path::Path(const Matrix& points) : count_(points.columns() - 1), pieces_(new Piece[count_]) {
  // c holds half the second derivatives at the points: c[i-1] + 4 c[i] + c[i+1] = 3 (q[i-1] -
  // 2 q[i] + q[i+1]). It is 0 at both ends. c of piece i holds the right side while eliminating
  // forwards.
  double* factors = new double[count_];
  factors[0] = 0;
  pieces_[0].c = Matrix(points.rows(), 1);
  for (size_t i = 1; i < count_; ++i) {
    double pivot = 4 - factors[i - 1];
    factors[i] = 1 / pivot;
    Matrix bend = column(points, i - 1) - 2 * column(points, i) + column(points, i + 1);
    pieces_[i].c = factors[i] * (3 * bend - pieces_[i - 1].c);
  }
  Matrix next(points.rows(), 1);
  for (size_t i = count_; i-- > 0;) {
    Piece& piece = pieces_[i];
    if (i > 0) piece.c = piece.c - factors[i] * next;
    piece.a = column(points, i);
    piece.b = column(points, i + 1) - piece.a - (1.0 / 3) * (2 * piece.c + next);
    piece.d = (1.0 / 3) * (next - piece.c);
    next = piece.c;
  }
  delete[] factors;
}

Motion Path::at(double time) const {
  size_t index = std::min(static_cast<size_t>(std::max(time, 0.0)), count_ - 1);
  const Piece& piece = pieces_[index];
  double t = time - static_cast<double>(index);
  return {piece.a + t * (piece.b + t * (piece.c + t * piece.d)),
          piece.b + t * (2 * piece.c + 3 * t * piece.d), 2 * piece.c + 6 * t * piece.d};
}

}  // namespace mmt::workloads::classic::roboop
