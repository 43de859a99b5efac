// sigset holds a signal and lets it in again, as X/Open has it.

#include <signal.h>

#include "support/expect.h"

static volatile sig_atomic_t seen;

static void count(int number) {
  (void)number;
  seen = seen + 1;
}

static void hold_and_let_in(int number) {
  seen = 0;
  EXPECT(sigset(number, count) == SIG_DFL);
  EXPECT(raise(number) == 0 && seen == 1);
  EXPECT(sigset(number, SIG_HOLD) == count);
  EXPECT(raise(number) == 0 && seen == 1);
  EXPECT(sigset(number, count) == SIG_HOLD);
  EXPECT(seen == 2);
  EXPECT(sigset(number, SIG_DFL) == count);
}

int main(void) {
  const int numbers[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGUSR1};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) hold_and_let_in(numbers[i]);
  return 0;
}
