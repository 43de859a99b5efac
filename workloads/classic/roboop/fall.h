// The robot left to itself: no torques, no friction, so that its energy stays what it is.
#pragma once

#include <cstdint>

#include "roboop/matrix.h"
#include "roboop/robot.h"

namespace mmt::workloads::classic::roboop {

struct Fall {
  Matrix q;
  Matrix velocity;
  double lost = 0;   // The largest change of the energy, in joules.
  double moved = 0;  // The largest kinetic energy on the way: shows that it did fall.
};

// From rest at `q`, by Runge and Kutta's method of fourth order.
Fall let_fall(const Robot& robot, const Matrix& q, uint64_t steps, double seconds_a_step);

}  // namespace mmt::workloads::classic::roboop
