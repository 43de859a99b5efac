// A relation between variables that has a method for each variable it can compute. The solver
// chooses which, by strengths.
#pragma once

#include <cstddef>
#include <cstdint>

#include "deltablue/variable.h"

namespace mmt::workloads::classic::deltablue {

class Constraint {
 public:
  static constexpr size_t kMostInputs = 3;

  explicit Constraint(Strength strength) : strength_(strength) {}
  virtual ~Constraint() = default;
  Constraint(const Constraint&) = delete;
  Constraint& operator=(const Constraint&) = delete;

  Strength strength() const { return strength_; }
  bool is_required() const { return strength_ == Strength::kRequired; }

  // Among the constraints of its variables, or no longer.
  virtual void enter() = 0;
  virtual void leave() = 0;

  // Chooses the method whose output may be given up most easily, and is not marked; if there is
  // none, the constraint is not satisfied.
  virtual void choose_method(uint64_t mark) = 0;
  virtual bool is_satisfied() const = 0;
  virtual void give_up() = 0;  // is not satisfied any more

  // These say what a satisfied constraint computes, and from what.
  virtual Variable* output() const = 0;
  virtual size_t inputs(Variable* to[kMostInputs]) const = 0;
  // Its value comes from outside.
  virtual bool is_edit() const { return false; }
  // Computes the output.
  virtual void execute() = 0;

  // The output's walkabout strength and whether it stays; its value as well, if it does.
  void recalculate();
  // Whether every input is marked, or stays, or has nobody to determine it.
  bool knows_inputs(uint64_t mark) const;
  void mark_inputs(uint64_t mark) const;

 protected:
  // The strength with which the output resists.
  virtual Strength output_strength() const = 0;

 private:
  Strength strength_;
};

// On one variable: to stay as it is, or to be edited.
class UnaryConstraint : public Constraint {
 public:
  UnaryConstraint(Strength strength, Variable* on, bool edits)
      : Constraint(strength), on_(on), edits_(edits) {}

  void enter() override { on_->constraints.add_first(this); }
  void leave() override { on_->constraints.remove(this); }
  void choose_method(uint64_t mark) override {
    satisfied_ = on_->mark != mark && is_stronger(strength(), on_->walkabout);
  }
  bool is_satisfied() const override { return satisfied_; }
  void give_up() override { satisfied_ = false; }
  Variable* output() const override { return on_; }
  size_t inputs(Variable* [kMostInputs]) const override { return 0; }
  bool is_edit() const override { return edits_; }
  void execute() override {}

 protected:
  Strength output_strength() const override { return strength(); }

 private:
  Variable* on_;
  bool edits_;
  bool satisfied_ = false;
};

// Between two variables, either of which can be computed.
class BinaryConstraint : public Constraint {
 public:
  BinaryConstraint(Strength strength, Variable* a, Variable* b)
      : Constraint(strength), a_(a), b_(b) {}

  void enter() override;
  void leave() override;
  void choose_method(uint64_t mark) override;
  bool is_satisfied() const override { return direction_ != Direction::kNone; }
  void give_up() override { direction_ = Direction::kNone; }
  Variable* output() const override { return is_forward() ? b_ : a_; }
  size_t inputs(Variable* to[kMostInputs]) const override;

 protected:
  Strength output_strength() const override;
  Variable* input() const { return is_forward() ? a_ : b_; }
  bool is_forward() const { return direction_ == Direction::kForward; }

 private:
  enum class Direction : uint8_t { kNone, kForward, kBackward };  // from a to b, from b to a

  Variable* a_;
  Variable* b_;
  Direction direction_ = Direction::kNone;
};

// a = b.
class EqualityConstraint final : public BinaryConstraint {
 public:
  using BinaryConstraint::BinaryConstraint;
  void execute() override { output()->value = input()->value; }
};

// b = a * scale + offset, which are read only.
class ScaleConstraint final : public BinaryConstraint {
 public:
  ScaleConstraint(Strength strength, Variable* a, Variable* scale, Variable* offset, Variable* b)
      : BinaryConstraint(strength, a, b), scale_(scale), offset_(offset) {}

  void enter() override;
  void leave() override;
  size_t inputs(Variable* to[kMostInputs]) const override;
  void execute() override;

 private:
  Variable* scale_;
  Variable* offset_;
};

}  // namespace mmt::workloads::classic::deltablue
