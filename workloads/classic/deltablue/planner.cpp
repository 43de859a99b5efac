#include "deltablue/planner.h"

namespace mmt::workloads::classic::deltablue {
namespace {

// The satisfied constraints that read a variable.
void add_consumers(const Variable* of, List<Constraint>* to) {
  for (const auto* link = of->constraints.first(); link != nullptr; link = link->next) {
    if (link->item != of->determined_by && link->item->is_satisfied()) to->add_first(link->item);
  }
}

}  // namespace

void execute(const Plan& plan) {
  for (const auto* link = plan.first(); link != nullptr; link = link->next) link->item->execute();
}

bool Planner::add(Constraint* constraint) {
  constraint->enter();
  return resatisfy(constraint);
}

bool Planner::resatisfy(Constraint* constraint) {
  const uint64_t mark = ++mark_;
  Constraint* overridden = constraint;
  while (overridden != nullptr) {
    if (!satisfy(overridden, mark, &overridden)) return false;
  }
  return true;
}

bool Planner::satisfy(Constraint* constraint, uint64_t mark, Constraint** overridden) {
  *overridden = nullptr;
  constraint->choose_method(mark);
  if (!constraint->is_satisfied()) return !constraint->is_required();
  constraint->mark_inputs(mark);
  Variable* out = constraint->output();
  *overridden = out->determined_by;
  if (*overridden != nullptr) (*overridden)->give_up();
  out->determined_by = constraint;
  if (!propagate(constraint, mark)) return false;
  out->mark = mark;
  return true;
}

// What depends on a constraint's output is calculated anew. False: the output depends on itself.
bool Planner::propagate(Constraint* from, uint64_t mark) {
  List<Constraint> todo;
  todo.add_first(from);
  while (!todo.empty()) {
    Constraint* next = todo.take_first();
    if (next->output()->mark == mark) return false;
    next->recalculate();
    add_consumers(next->output(), &todo);
  }
  return true;
}

void Planner::remove(Constraint* constraint) {
  const bool was_satisfied = constraint->is_satisfied();
  Variable* out = constraint->output();
  constraint->give_up();
  constraint->leave();
  if (!was_satisfied) return;
  List<Constraint> unsatisfied;
  forget(out, &unsatisfied);
  // The strongest first. A required one was satisfied before, and gets no rival by this.
  for (auto strength = Strength::kRequired; strength != Strength::kWeakest;
       strength = static_cast<Strength>(static_cast<uint8_t>(strength) + 1)) {
    for (const auto* link = unsatisfied.first(); link != nullptr; link = link->next) {
      if (link->item->strength() == strength) static_cast<void>(resatisfy(link->item));
    }
  }
}

// Nobody determines `out` any more. Collects what might, it or what depends on it.
void Planner::forget(Variable* out, List<Constraint>* unsatisfied) {
  out->determined_by = nullptr;
  out->walkabout = Strength::kWeakest;
  out->stays = true;
  List<Variable> todo;
  todo.add_first(out);
  while (!todo.empty()) {
    Variable* next = todo.take_first();
    for (const auto* link = next->constraints.first(); link != nullptr; link = link->next) {
      Constraint* one = link->item;
      if (!one->is_satisfied()) {
        unsatisfied->add_last(one);
      } else if (one != next->determined_by) {
        one->recalculate();
        todo.add_first(one->output());
      }
    }
  }
}

void Planner::extract_plan(Constraint* edit, Plan* plan) {
  const uint64_t mark = ++mark_;
  List<Constraint> todo;
  if (edit->is_satisfied()) todo.add_first(edit);
  while (!todo.empty()) {
    Constraint* next = todo.take_first();
    Variable* out = next->output();
    if (out->mark == mark || !next->knows_inputs(mark)) continue;
    plan->add_last(next);
    out->mark = mark;
    add_consumers(out, &todo);
  }
}

}  // namespace mmt::workloads::classic::deltablue
