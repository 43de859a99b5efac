// Dynamics of the arm: forces, accelerations and energies.
#include "base/fail.h"
#include "roboop/robot.h"

namespace mmt::workloads::classic::roboop {

Matrix Robot::inverse_dynamics(const Matrix& q, const Matrix& velocity, const Matrix& acceleration,
                               double gravity) const {
  Matrix turns[kJoints];   // Orientation of frame i + 1 in frame i.
  Matrix arms[kJoints];    // From frame i's origin to frame i + 1's.
  Matrix forces[kJoints];  // On the link, at its centre of mass.
  Matrix moments[kJoints];
  const Matrix axis(3, 1, {0, 0, 1});

  // From the base outwards: how the links move. Gravity is a base that accelerates upwards.
  Matrix w(3, 1), dw(3, 1), dv(3, 1, {0, 0, gravity});
  for (size_t i = 0; i < kJoints; ++i) {
    const Link& link = links_[i];
    Matrix pose = link_pose(i + 1, q(i));
    turns[i] = pose.block(0, 0, 3, 3);
    Matrix back = turns[i].transposed();
    arms[i] = back * pose.block(0, 3, 3, 1);
    Matrix turning = velocity(i) * axis;
    dw = back * (dw + acceleration(i) * axis + cross(w, turning));
    w = back * (w + turning);
    dv = back * dv + cross(dw, arms[i]) + cross(w, cross(w, arms[i]));
    Matrix dv_centre = dv + cross(dw, link.centre) + cross(w, cross(w, link.centre));
    forces[i] = link.mass * dv_centre;
    moments[i] = link.inertia * dw + cross(w, link.inertia * w);
  }

  // And back inwards: what the joints must bear.
  Matrix torque(kJoints, 1);
  Matrix force(3, 1), moment(3, 1);
  for (size_t i = kJoints; i-- > 0;) {
    const Link& link = links_[i];
    if (i + 1 < kJoints) {
      force = turns[i + 1] * force;
      moment = turns[i + 1] * moment + cross(arms[i], force);
    }
    moment = moment + cross(arms[i] + link.centre, forces[i]) + moments[i];
    force = force + forces[i];
    torque(i) = dot(moment, turns[i].transposed() * axis) + link.motor_inertia * acceleration(i);
  }
  return torque;
}

Matrix Robot::inertia(const Matrix& q) const {
  const Matrix rest(kJoints, 1);
  Matrix result(kJoints, kJoints);
  for (size_t i = 0; i < kJoints; ++i) {
    Matrix unit(kJoints, 1);
    unit(i) = 1;
    result.put(0, i, inverse_dynamics(q, rest, unit, 0));
  }
  return result;
}

Matrix Robot::forward_dynamics(const Matrix& q, const Matrix& velocity,
                               const Matrix& torque) const {
  // Torques are linear in the accelerations.
  Matrix at_rest = inverse_dynamics(q, velocity, Matrix(kJoints, 1), kGravity);
  Matrix acceleration;
  check(solve(inertia(q), torque - at_rest, &acceleration), "the inertia matrix is singular");
  return acceleration;
}

// This is taken from the links' own motions, so that it does not rest on the dynamics above.
double Robot::kinetic_energy(const Matrix& q, const Matrix& velocity) const {
  double result = 0;
  Matrix frame = Matrix::identity(4);
  Matrix w(3, 1), v(3, 1);  // The frame's motion, seen from the base.
  for (size_t i = 0; i < kJoints; ++i) {
    const Link& link = links_[i];
    w = w + velocity(i) * frame.block(0, 2, 3, 1);
    Matrix origin = frame.block(0, 3, 3, 1);
    frame = frame * link_pose(i + 1, q(i));
    v = v + cross(w, frame.block(0, 3, 3, 1) - origin);
    Matrix turn = frame.block(0, 0, 3, 3);
    Matrix v_centre = v + cross(w, turn * link.centre);
    Matrix w_link = turn.transposed() * w;
    result += 0.5 * (link.mass * dot(v_centre, v_centre) + dot(w_link, link.inertia * w_link) +
                     link.motor_inertia * velocity(i) * velocity(i));
  }
  return result;
}

double Robot::potential_energy(const Matrix& q) const {
  double result = 0;
  Matrix frame = Matrix::identity(4);
  for (size_t i = 0; i < kJoints; ++i) {
    frame = frame * link_pose(i + 1, q(i));
    Matrix centre = frame.block(0, 0, 3, 3) * links_[i].centre + frame.block(0, 3, 3, 1);
    result += links_[i].mass * kGravity * centre(2);
  }
  return result;
}

}  // namespace mmt::workloads::classic::roboop
