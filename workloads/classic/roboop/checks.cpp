#include "roboop/checks.h"

#include <algorithm>
#include <cmath>

#include "base/fail.h"

namespace mmt::workloads::classic::roboop {

namespace {

constexpr double kStep = 1e-5;  // The step of differences; their error is of its square.

Matrix moved(const Matrix& q, size_t joint, double by) {
  Matrix result = q;
  result(joint) += by;
  return result;
}

}  // namespace

double inverse_kinematics_error(const Robot& robot, const Matrix& q) {
  Matrix guess = q;
  for (size_t i = 0; i < Robot::kJoints; ++i) guess(i) += i % 2 == 0 ? 0.02 : -0.02;
  Matrix wanted = robot.pose(q);
  Matrix found;
  check(robot.inverse_kinematics(wanted, guess, &found), "inverse kinematics finds no angles");
  return (robot.pose(found) - wanted).largest();
}

double jacobian_error(const Robot& robot, const Matrix& q) {
  Matrix jacobian = robot.jacobian(q);
  Matrix turn = robot.pose(q).block(0, 0, 3, 3);
  double result = 0;
  for (size_t i = 0; i < Robot::kJoints; ++i) {
    Matrix rate =
        (0.5 / kStep) * (robot.pose(moved(q, i, kStep)) - robot.pose(moved(q, i, -kStep)));
    // The rate of an orientation R is S R, S made of the angular velocity.
    Matrix spin = rate.block(0, 0, 3, 3) * turn.transposed();
    Matrix angular(3, 1, {spin(2, 1), spin(0, 2), spin(1, 0)});
    result = std::max(result, (jacobian.block(0, i, 3, 1) - rate.block(0, 3, 3, 1)).largest());
    result = std::max(result, (jacobian.block(3, i, 3, 1) - angular).largest());
  }
  return result;
}

double dynamics_error(const Robot& robot, const Matrix& q, const Matrix& velocity,
                      const Matrix& torque) {
  Matrix acceleration = robot.forward_dynamics(q, velocity, torque);
  Matrix back = robot.inverse_dynamics(q, velocity, acceleration, Robot::kGravity);
  return (back - torque).largest();
}

double gravity_error(const Robot& robot, const Matrix& q) {
  const Matrix rest(Robot::kJoints, 1);
  Matrix torque = robot.inverse_dynamics(q, rest, rest, Robot::kGravity);
  double result = 0;
  for (size_t i = 0; i < Robot::kJoints; ++i) {
    double slope =
        (robot.potential_energy(moved(q, i, kStep)) - robot.potential_energy(moved(q, i, -kStep))) /
        (2 * kStep);
    result = std::max(result, std::fabs(slope - torque(i)));
  }
  return result;
}

double velocity_error(const Robot& robot, const Matrix& q, const Matrix& velocity) {
  Matrix torque = robot.inverse_dynamics(q, velocity, Matrix(Robot::kJoints, 1), 0);
  Matrix later = robot.inertia(q + kStep * velocity), earlier = robot.inertia(q - kStep * velocity);
  Matrix wanted = (0.5 / kStep) * (later - earlier) * velocity;
  for (size_t i = 0; i < Robot::kJoints; ++i) {
    wanted(i) -= (robot.kinetic_energy(moved(q, i, kStep), velocity) -
                  robot.kinetic_energy(moved(q, i, -kStep), velocity)) /
                 (2 * kStep);
  }
  return (torque - wanted).largest();
}

double energy_error(const Robot& robot, const Matrix& q, const Matrix& velocity) {
  double wanted = 0.5 * dot(velocity, robot.inertia(q) * velocity);
  return std::fabs(robot.kinetic_energy(q, velocity) - wanted);
}

double symmetry_error(const Robot& robot, const Matrix& q) {
  Matrix inertia = robot.inertia(q);
  return (inertia - inertia.transposed()).largest();
}

}  // namespace mmt::workloads::classic::roboop
