#include "roboop/fall.h"

#include <algorithm>
#include <cmath>

namespace mmt::workloads::classic::roboop {

namespace {

void step(const Robot& robot, double h, Matrix* q, Matrix* v) {
  const Matrix none(Robot::kJoints, 1);
  Matrix a1 = robot.forward_dynamics(*q, *v, none);
  Matrix v2 = *v + h / 2 * a1;
  Matrix a2 = robot.forward_dynamics(*q + h / 2 * *v, v2, none);
  Matrix v3 = *v + h / 2 * a2;
  Matrix a3 = robot.forward_dynamics(*q + h / 2 * v2, v3, none);
  Matrix v4 = *v + h * a3;
  Matrix a4 = robot.forward_dynamics(*q + h * v3, v4, none);
  *q = *q + h / 6 * (*v + 2 * v2 + 2 * v3 + v4);
  *v = *v + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
}

}  // namespace

Fall let_fall(const Robot& robot, const Matrix& q, uint64_t steps, double seconds_a_step) {
  Fall fall{q, Matrix(Robot::kJoints, 1)};
  double before = robot.potential_energy(q);
  for (uint64_t i = 0; i < steps; ++i) {
    step(robot, seconds_a_step, &fall.q, &fall.velocity);
    double kinetic = robot.kinetic_energy(fall.q, fall.velocity);
    fall.moved = std::max(fall.moved, kinetic);
    double lost = std::fabs(kinetic + robot.potential_energy(fall.q) - before);
    // Not std::max: it would drop what is not a number.
    if (!(lost <= fall.lost)) fall.lost = lost;
  }
  return fall;
}

}  // namespace mmt::workloads::classic::roboop
