#include "lindsay/node.h"

#include <algorithm>
#include <cstdlib>

#include "base/fail.h"
#include "base/memory.h"
#include "lindsay/lexer.h"
#include "lindsay/work.h"

namespace mmt::workloads::classic::lindsay {

namespace {

constexpr int64_t kMaxWords = 1 << 20;
constexpr int64_t kMaxSteps = int64_t{1} << 40;

}  // namespace

Node::Node(const Script& script, uint32_t number, size_t dimension, int64_t scale)
    : script_(script),
      variables_(allocate_array<int64_t>(script.variables())),
      work_state_(initial_work(number)) {
  std::fill(variables_, variables_ + script.variables(), int64_t{0});
  variables_[kNode] = number;
  variables_[kNodes] = int64_t{1} << dimension;
  variables_[kDimension] = static_cast<int64_t>(dimension);
  variables_[kScale] = scale;
  frames_.add({script.first(), nullptr, 0});
}

Node::~Node() { std::free(variables_); }

Node::State Node::run(uint64_t now, MessageQueue* sent, uint64_t* budget) {
  state_ = State::kReady;
  variables_[kTime] = static_cast<int64_t>(now);
  while (state_ == State::kReady) {
    Frame& frame = frames_.last();
    current_ = frame.next;
    if (current_ == nullptr) {
      if (!go_round()) frames_.shrink(frames_.size() - 1);
      if (frames_.empty()) state_ = State::kDone;
      continue;
    }
    if ((*budget)-- == 0) mistake(script_.name(), line(), "the script does not end");
    frame.next = current_->next;
    if (!execute(current_, sent)) frames_.last().next = current_;
  }
  return state_;
}

int64_t Node::value_of(const Expression* expression) {
  variables_[kPending] = static_cast<int64_t>(inbox_.size());
  Fault fault = Fault::kNone;
  int64_t value = evaluate(*expression, variables_, &fault);
  if (fault != Fault::kNone) mistake(script_.name(), line(), text_of(fault));
  return value;
}

// A loop's block is entered with nothing to run, which makes go_round() decide.
void Node::enter(const Statement* statement) {
  int64_t value = statement->kind == Kind::kWhile ? 0 : value_of(statement->operands[0]);
  if (statement->kind == Kind::kIf) {
    frames_.add({value != 0 ? statement->body : statement->otherwise, nullptr, 0});
  } else {
    frames_.add({nullptr, statement, value});
  }
}

bool Node::go_round() {
  Frame& frame = frames_.last();
  if (frame.loop == nullptr) return false;
  current_ = frame.loop;
  if (frame.loop->kind == Kind::kWhile) {
    if (value_of(frame.loop->operands[0]) == 0) return false;
  } else if (frame.rounds-- <= 0) {
    return false;
  }
  frame.next = frame.loop->body;
  return true;
}

bool Node::execute(const Statement* statement, MessageQueue* sent) {
  switch (statement->kind) {
    case Kind::kLet:
      variables_[statement->variable] = value_of(statement->operands[0]);
      return true;
    case Kind::kRepeat:
    case Kind::kWhile:
    case Kind::kIf:
      enter(statement);
      return true;
    case Kind::kCompute:
      compute(statement);
      return true;
    case Kind::kSend:
      send(statement, sent);
      return true;
    case Kind::kReceive:
      return receive(statement);
    case Kind::kBarrier:
      state_ = State::kAtBarrier;
      return true;
    case Kind::kCheck:
      if (value_of(statement->operands[0]) == 0) {
        fail("%s:%zu: the check fails on node %lld at time %lld", script_.name(), statement->line,
             static_cast<long long>(variables_[kNode]), static_cast<long long>(variables_[kTime]));
      }
      return true;
  }
  return true;
}

void Node::compute(const Statement* statement) {
  int64_t steps = value_of(statement->operands[0]);
  if (steps < 0 || steps > kMaxSteps) mistake(script_.name(), line(), "steps are out of range");
  busy_for_ = static_cast<uint64_t>(steps);
  work_state_ = work(work_state_, busy_for_);
  steps_ += busy_for_;
  state_ = State::kComputing;
}

void Node::send(const Statement* statement, MessageQueue* sent) {
  int64_t destination = value_of(statement->operands[0]);
  int64_t length = value_of(statement->operands[1]);
  int64_t first = value_of(statement->operands[2]);
  if (destination < 0 || destination >= variables_[kNodes]) {
    mistake(script_.name(), line(), "there is no such node");
  }
  if (length < 1 || length > kMaxWords) mistake(script_.name(), line(), "length is out of range");
  sent->add(Message::create(static_cast<uint32_t>(variables_[kNode]),
                            static_cast<uint32_t>(destination), static_cast<uint32_t>(length),
                            static_cast<uint64_t>(first)));
}

bool Node::receive(const Statement* statement) {
  const Expression* from = statement->operands[0];
  awaited_ = -1;
  if (from != nullptr) {
    awaited_ = value_of(from);
    if (awaited_ < 0 || awaited_ >= variables_[kNodes]) {
      mistake(script_.name(), line(), "there is no such node");
    }
  }
  Message* message = nullptr;
  if (awaited_ >= 0) {
    message = inbox_.take_from(static_cast<uint32_t>(awaited_));
  } else if (!inbox_.empty()) {
    message = inbox_.take_first();
  }
  if (message == nullptr) {
    state_ = State::kReceiving;
    return false;
  }
  check(message->destination == static_cast<uint32_t>(variables_[kNode]),
        "a message came to another node");
  check(message->is_intact(), "a message was changed on its way");
  variables_[statement->variable] = static_cast<int64_t>(message->words()[0]);
  variables_[kSource] = message->source;
  variables_[kLength] = message->length;
  std::free(message);
  return true;
}

bool Node::deliver(Message* message) {
  inbox_.add(message);
  return state_ == State::kReceiving && (awaited_ < 0 || message->source == awaited_);
}

}  // namespace mmt::workloads::classic::lindsay
