// roboop: kinematics and dynamics of a robot arm on matrices in the heap. It goes along a path. At
// every point, it checks what must hold between the functions. Then the arm falls freely.
#include <algorithm>

#include "base/fail.h"
#include "base/output.h"
#include "base/program.h"
#include "common/clock.h"
#include "common/rng.h"
#include "roboop/checks.h"
#include "roboop/fall.h"
#include "roboop/path.h"
#include "roboop/robot.h"

namespace {

using namespace mmt::workloads;
using namespace mmt::workloads::classic;
using namespace mmt::workloads::classic::roboop;

struct Errors {
  double kinematics = 0;
  double jacobian = 0;
  double dynamics = 0;
  double gravity = 0;
  double velocity = 0;
  double energy = 0;
  double symmetry = 0;
};

// Angles that keep away from the arm's singular poses (stretched, wrist straight).
Matrix pick_points(uint64_t count, uint64_t seed) {
  constexpr double kMiddle[] = {0.0, 0.8, -2.4, 0.3, 1.2, 0.0};
  constexpr double kReach[] = {1.2, 0.5, 0.4, 0.8, 0.4, 1.5};
  Rng rng(seed);
  Matrix points(Robot::kJoints, count);
  for (uint64_t i = 0; i < count; ++i) {
    for (size_t j = 0; j < Robot::kJoints; ++j) {
      double draw = static_cast<double>(rng.below(20001)) / 10000.0 - 1;
      points(j, i) = kMiddle[j] + kReach[j] * draw;
    }
  }
  return points;
}

// A NaN is larger than anything.
void widen(double* largest, double error) {
  if (!(error <= *largest)) *largest = error;
}

// Returns a sum of all torques, for the result line.
double follow(const Robot& robot, const Path& path, uint64_t samples, Errors* errors) {
  double sum = 0;
  for (uint64_t i = 0; i < samples; ++i) {
    double part = static_cast<double>(i) / static_cast<double>(std::max<uint64_t>(samples, 2) - 1);
    Motion motion = path.at(part * path.duration());
    Matrix torque =
        robot.inverse_dynamics(motion.q, motion.velocity, motion.acceleration, Robot::kGravity);
    for (size_t j = 0; j < Robot::kJoints; ++j) sum += torque(j);
    widen(&errors->kinematics, inverse_kinematics_error(robot, motion.q));
    widen(&errors->jacobian, jacobian_error(robot, motion.q));
    widen(&errors->dynamics, dynamics_error(robot, motion.q, motion.velocity, torque));
    widen(&errors->gravity, gravity_error(robot, motion.q));
    widen(&errors->velocity, velocity_error(robot, motion.q, motion.velocity));
    widen(&errors->energy, energy_error(robot, motion.q, motion.velocity));
    widen(&errors->symmetry, symmetry_error(robot, motion.q));
  }
  return sum;
}

void check_path(const Path& path, const Matrix& points) {
  for (size_t i = 0; i < points.columns(); ++i) {
    double time = static_cast<double>(i);
    Matrix point = points.block(0, i, Robot::kJoints, 1);
    Motion before = path.at(time - (i == 0 ? 0 : 1e-9));
    Motion after = path.at(time);
    check((after.q - point).largest() < 1e-9, "the path misses a point");
    check((before.q - point).largest() < 1e-6, "the path jumps");
    check((before.velocity - after.velocity).largest() < 1e-6, "the path's velocity jumps");
    check((before.acceleration - after.acceleration).largest() < 1e-6,
          "the path's acceleration jumps");
  }
}

void check_errors(const Errors& errors) {
  check(errors.kinematics < 1e-9, "inverse kinematics gives another pose");
  check(errors.jacobian < 1e-7, "the Jacobian differs from differences of poses");
  check(errors.dynamics < 1e-8, "forward dynamics is not the inverse of inverse dynamics");
  check(errors.gravity < 1e-6, "torques at rest differ from differences of the potential energy");
  check(errors.velocity < 1e-5, "torques in motion differ from Lagrange's equation");
  check(errors.energy < 1e-9, "the kinetic energy is not that of the inertia matrix");
  check(errors.symmetry < 1e-10, "the inertia matrix is not symmetric");
}

void check_fall(const Fall& fall, uint64_t steps) {
  check(fall.lost < 1e-6, "the falling arm loses or wins energy");
  check(steps == 0 || fall.moved > 0, "the arm does not fall");
}

}  // namespace

int main(int argc, char** argv) {
  Program program("roboop", argc, argv);
  uint64_t points = program.number("points", 32);
  uint64_t samples = program.number("samples", program.small ? 20 : 580);
  uint64_t steps = program.number("steps", program.small ? 20 : 400);
  uint64_t seed = program.number("seed", 1);
  program.finish();
  if (points < 2 || points > 1'000'000) bad_input("--points: must be from 2 to 1000000");

  Stopwatch watch;
  Robot robot = Robot::puma_560();
  Matrix via = pick_points(points, seed);
  Path path(via);
  check_path(path, via);
  Errors errors;
  double sum = follow(robot, path, samples, &errors);
  double follow_s = watch.lap();
  Fall fall = let_fall(robot, path.at(0).q, steps, 0.001);
  double fall_s = watch.lap();
  check_errors(errors);
  check_fall(fall, steps);
  {
    Output output;
    output.print(
        "%llu samples, sum of torques %.6f N m; after %llu ms the arm fell to"
        " %.6f %.6f %.6f, %.4f J kinetic\n",
        static_cast<unsigned long long>(samples), sum, static_cast<unsigned long long>(steps),
        fall.q(0), fall.q(1), fall.q(2), robot.kinetic_energy(fall.q, fall.velocity));
  }
  return program.report({seconds("follow", follow_s),
                         seconds("fall", fall_s),
                         {"energy_lost", fall.lost, "J"},
                         {"jacobian_error", errors.jacobian, "1"},
                         {"torque_error", errors.velocity, "Nm"}});
}
