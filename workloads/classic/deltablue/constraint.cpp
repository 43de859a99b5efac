#include "deltablue/constraint.h"

namespace mmt::workloads::classic::deltablue {

void Constraint::recalculate() {
  Variable* all[kMostInputs];
  const size_t count = inputs(all);
  bool stays = !is_edit();
  for (size_t i = 0; i < count; ++i) stays &= all[i]->stays;
  Variable* out = output();
  out->walkabout = output_strength();
  out->stays = stays;
  if (stays) execute();
}

bool Constraint::knows_inputs(uint64_t mark) const {
  Variable* all[kMostInputs];
  const size_t count = inputs(all);
  for (size_t i = 0; i < count; ++i) {
    const Variable* one = all[i];
    if (one->mark != mark && !one->stays && one->determined_by != nullptr) return false;
  }
  return true;
}

void Constraint::mark_inputs(uint64_t mark) const {
  Variable* all[kMostInputs];
  const size_t count = inputs(all);
  for (size_t i = 0; i < count; ++i) all[i]->mark = mark;
}

void BinaryConstraint::enter() {
  a_->constraints.add_first(this);
  b_->constraints.add_first(this);
}

void BinaryConstraint::leave() {
  b_->constraints.remove(this);
  a_->constraints.remove(this);
}

void BinaryConstraint::choose_method(uint64_t mark) {
  const bool can_forward = b_->mark != mark && is_stronger(strength(), b_->walkabout);
  const bool can_backward = a_->mark != mark && is_stronger(strength(), a_->walkabout);
  direction_ = Direction::kNone;
  // One that is marked has been computed already, and cannot be again.
  if (a_->mark == mark) {
    if (can_forward) direction_ = Direction::kForward;
  } else if (b_->mark == mark) {
    if (can_backward) direction_ = Direction::kBackward;
  } else if (is_stronger(b_->walkabout, a_->walkabout)) {
    if (can_backward) direction_ = Direction::kBackward;
  } else if (can_forward) {
    direction_ = Direction::kForward;
  }
}

size_t BinaryConstraint::inputs(Variable* to[kMostInputs]) const {
  to[0] = input();
  return 1;
}

Strength BinaryConstraint::output_strength() const {
  return weaker_of(strength(), input()->walkabout);
}

void ScaleConstraint::enter() {
  BinaryConstraint::enter();
  scale_->constraints.add_first(this);
  offset_->constraints.add_first(this);
}

void ScaleConstraint::leave() {
  offset_->constraints.remove(this);
  scale_->constraints.remove(this);
  BinaryConstraint::leave();
}

size_t ScaleConstraint::inputs(Variable* to[kMostInputs]) const {
  to[0] = input();
  to[1] = scale_;
  to[2] = offset_;
  return 3;
}

void ScaleConstraint::execute() {
  if (is_forward()) {
    output()->value = input()->value * scale_->value + offset_->value;
  } else {
    output()->value = (input()->value - offset_->value) / scale_->value;
  }
}

}  // namespace mmt::workloads::classic::deltablue
