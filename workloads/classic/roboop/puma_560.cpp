// The measures of one robot, in metres, kilograms and radians.
#include <cmath>

#include "roboop/robot.h"

namespace mmt::workloads::classic::roboop {

Robot Robot::puma_560() {
  constexpr double kRightAngle = M_PI / 2;
  auto vector = [](double x, double y, double z) { return Matrix(3, 1, {x, y, z}); };
  auto diagonal = [](double x, double y, double z) { return Matrix::diagonal({x, y, z}); };
  // The motors turn faster than the joints by these factors.
  auto geared = [](double inertia, double ratio) { return inertia * ratio * ratio; };

  Robot puma;
  puma.links_[0] = {
      0, kRightAngle, 0, 0, geared(200e-6, 62.6111), vector(0, 0, 0), diagonal(0, 0.35, 0)};
  puma.links_[1] = {0.4318,
                    0,
                    0,
                    17.4,
                    geared(200e-6, 107.815),
                    vector(-0.3638, 0.006, 0.2275),
                    diagonal(0.13, 0.524, 0.539)};
  puma.links_[2] = {0.0203,
                    -kRightAngle,
                    0.15005,
                    4.8,
                    geared(200e-6, 53.7063),
                    vector(-0.0203, -0.0141, 0.070),
                    diagonal(0.066, 0.086, 0.0125)};
  puma.links_[3] = {0,
                    kRightAngle,
                    0.4318,
                    0.82,
                    geared(33e-6, 76.0364),
                    vector(0, 0.019, 0),
                    diagonal(1.8e-3, 1.3e-3, 1.8e-3)};
  puma.links_[4] = {0,
                    -kRightAngle,
                    0,
                    0.34,
                    geared(33e-6, 71.923),
                    vector(0, 0, 0),
                    diagonal(0.3e-3, 0.4e-3, 0.3e-3)};
  puma.links_[5] = {0,
                    0,
                    0,
                    0.09,
                    geared(33e-6, 76.686),
                    vector(0, 0, 0.032),
                    diagonal(0.15e-3, 0.15e-3, 0.04e-3)};
  return puma;
}

}  // namespace mmt::workloads::classic::roboop
