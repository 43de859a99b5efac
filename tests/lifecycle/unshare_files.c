// What a program closes in a table of descriptors of its own is closed: the reader of a pipe comes
// to its end.
// @needs unshare

#include <linux/close_range.h>
#include <poll.h>
#include <sched.h>

#include "support/processes.h"

// The reader of a pipe sees its end, once the table is the thread's own and the
// writing end is closed.
static void expect_end(int by_range) {
  int ends[2];
  EXPECT(pipe(ends) == 0);
  if (by_range) {
    EXPECT(close_range(1000, 1001, CLOSE_RANGE_UNSHARE) == 0);
  } else {
    EXPECT(unshare(CLONE_FILES) == 0);
  }
  EXPECT(close(ends[1]) == 0);
  struct pollfd reader = {.fd = ends[0], .events = POLLIN};
  EXPECT(poll(&reader, 1, 5000) == 1 && (reader.revents & POLLHUP) != 0, "by_range %d", by_range);
  close(ends[0]);
}

int main(void) {
  allocate_volume(64);
  expect_end(0);
  allocate_volume(64);
  expect_end(1);
  allocate_volume(64);
  return 0;
}
