#include "checker/fiber.h"

#include <cstdint>

namespace mmt::model {

Fiber::Fiber() : stack_(new char[kStack]) {}

void Fiber::restart(void (*body)(void* context, int index), void* context, int index) {
  body_ = body;
  context_ = context;
  index_ = index;
  entered_ = false;
}

void Fiber::enter(unsigned high, unsigned low) {
  auto* self = reinterpret_cast<Fiber*>((static_cast<uintptr_t>(high) << 32) | low);
  self->body_(self->context_, self->index_);
  for (;;) self->suspend();
}

void Fiber::resume() {
  if (_setjmp(outside_) != 0) return;
  if (entered_) _longjmp(inside_, 1);
  entered_ = true;
  getcontext(&start_);
  start_.uc_stack.ss_sp = stack_.get();
  start_.uc_stack.ss_size = kStack;
  start_.uc_link = nullptr;
  const auto self = reinterpret_cast<uintptr_t>(this);
  makecontext(&start_, reinterpret_cast<void (*)()>(&Fiber::enter), 2,
              static_cast<unsigned>(self >> 32), static_cast<unsigned>(self));
  swapcontext(&back_, &start_);
}

void Fiber::suspend() {
  if (_setjmp(inside_) == 0) _longjmp(outside_, 1);
}

}  // namespace mmt::model
