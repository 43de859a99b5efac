// Kinematics of the arm: poses, the Jacobian, angles of a pose.
#include <cmath>

#include "roboop/robot.h"

namespace mmt::workloads::classic::roboop {

Matrix Robot::link_pose(size_t link, double angle) const {
  const Link& l = links_[link - 1];
  double ca = std::cos(l.alpha), sa = std::sin(l.alpha);
  double ct = std::cos(angle), st = std::sin(angle);
  return Matrix(4, 4,
                {ct, -st * ca, st * sa, l.a * ct,  //
                 st, ct * ca, -ct * sa, l.a * st,  //
                 0, sa, ca, l.d,                   //
                 0, 0, 0, 1});
}

Matrix Robot::pose(const Matrix& q) const {
  Matrix result = Matrix::identity(4);
  for (size_t i = 1; i <= kJoints; ++i) result = result * link_pose(i, q(i - 1));
  return result;
}

Matrix Robot::jacobian(const Matrix& q) const {
  // Joint i turns about the z axis of frame i - 1.
  Matrix axes[kJoints];
  Matrix origins[kJoints];
  Matrix frame = Matrix::identity(4);
  for (size_t i = 0; i < kJoints; ++i) {
    axes[i] = frame.block(0, 2, 3, 1);
    origins[i] = frame.block(0, 3, 3, 1);
    frame = frame * link_pose(i + 1, q(i));
  }
  Matrix end = frame.block(0, 3, 3, 1);
  Matrix result(6, kJoints);
  for (size_t i = 0; i < kJoints; ++i) {
    result.put(0, i, cross(axes[i], end - origins[i]));
    result.put(3, i, axes[i]);
  }
  return result;
}

namespace {

// What takes `from` to `to`: way and rotation vector, right to the first order.
Matrix difference(const Matrix& from, const Matrix& to) {
  Matrix result(6, 1);
  result.put(0, 0, to.block(0, 3, 3, 1) - from.block(0, 3, 3, 1));
  Matrix turn(3, 1);
  for (size_t i = 0; i < 3; ++i) turn = turn + cross(from.block(0, i, 3, 1), to.block(0, i, 3, 1));
  result.put(3, 0, 0.5 * turn);
  return result;
}

}  // namespace

bool Robot::inverse_kinematics(const Matrix& pose_wanted, const Matrix& guess, Matrix* q) const {
  constexpr int kMaxRounds = 50;
  constexpr double kPrecision = 1e-11;
  Matrix angles = guess;
  for (int round = 0; round < kMaxRounds; ++round) {
    Matrix off = difference(pose(angles), pose_wanted);
    if (off.largest() < kPrecision) {
      *q = std::move(angles);
      return true;
    }
    Matrix step;
    if (!solve(jacobian(angles), off, &step)) return false;
    angles = angles + step;
  }
  return false;
}

}  // namespace mmt::workloads::classic::roboop
