// What must hold between the robot's functions. Each returns the largest deviation from it.
#pragma once

#include "roboop/matrix.h"
#include "roboop/robot.h"

namespace mmt::workloads::classic::roboop {

// The pose of the angles that inverse kinematics finds for the pose of q, from a guess nearby.
// Ends the program if it finds none.
double inverse_kinematics_error(const Robot& robot, const Matrix& q);
// The Jacobian against differences of poses.
double jacobian_error(const Robot& robot, const Matrix& q);
// The torques of the accelerations that forward dynamics gives for `torque`.
double dynamics_error(const Robot& robot, const Matrix& q, const Matrix& velocity,
                      const Matrix& torque);
// Torques at rest against differences of the potential energy.
double gravity_error(const Robot& robot, const Matrix& q);
// Torques that velocities alone ask for, against Lagrange's equation with differences of the
// inertia matrix and of the kinetic energy.
double velocity_error(const Robot& robot, const Matrix& q, const Matrix& velocity);
// The kinetic energy against that of the inertia matrix.
double energy_error(const Robot& robot, const Matrix& q, const Matrix& velocity);
// The inertia matrix against its own transpose.
double symmetry_error(const Robot& robot, const Matrix& q);

}  // namespace mmt::workloads::classic::roboop
