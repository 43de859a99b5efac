// A robot arm of revolute joints, by Denavit and Hartenberg's parameters (standard form), with the
// masses of its links. Frame i is fixed to link i; all of a link's vectors are given in its frame.
// Joint vectors have an element for each joint; poses are 4 x 4 homogeneous matrices.
#pragma once

#include <cstddef>

#include "roboop/matrix.h"

namespace mmt::workloads::classic::roboop {

struct Link {
  double a;      // Length.
  double alpha;  // Twist.
  double d;      // Offset.
  double mass;
  double motor_inertia;  // As the joint feels it.
  Matrix centre;         // The centre of mass.
  Matrix inertia;        // 3 x 3, about the centre of mass.
};

class Robot {
 public:
  static constexpr size_t kJoints = 6;

  // The Unimation Puma 560, by the parameters that Armstrong, Khatib and Burdick measured (1986) in
  // the frames of Corke's Robotics Toolbox; without friction.
  static Robot puma_560();

  // The pose of frame `link` in frame `link - 1`, links counted from 1.
  Matrix link_pose(size_t link, double angle) const;
  // The pose of the last frame in the base.
  Matrix pose(const Matrix& q) const;
  // 6 x 6: joint velocities to velocity and angular velocity of the last frame, in the base.
  Matrix jacobian(const Matrix& q) const;
  // Joint angles of a pose, by Newton's iteration from `guess`. False if it does not get there.
  bool inverse_kinematics(const Matrix& pose, const Matrix& guess, Matrix* q) const;

  // Joint torques that make the accelerations: the recursion of Newton and Euler. `gravity` is the
  // acceleration of free fall, downwards.
  Matrix inverse_dynamics(const Matrix& q, const Matrix& velocity, const Matrix& acceleration,
                          double gravity) const;
  // 6 x 6: accelerations to torques, at rest and without gravity.
  Matrix inertia(const Matrix& q) const;
  // Accelerations under the torques.
  Matrix forward_dynamics(const Matrix& q, const Matrix& velocity, const Matrix& torque) const;
  double kinetic_energy(const Matrix& q, const Matrix& velocity) const;
  double potential_energy(const Matrix& q) const;

  static constexpr double kGravity = 9.81;

 private:
  Robot() = default;

  Link links_[kJoints];
};

}  // namespace mmt::workloads::classic::roboop
