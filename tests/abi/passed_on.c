// A library behind the allocator may pass calls on to libc by RTLD_NEXT, as fakeroot does. Such a
// library is not led back to the allocator by libc's names.
// @only mmt layered protocol
// @without harden libjemalloc.so.2 libmimalloc.so.2 libtcmalloc_minimal.so.4
// libtbbmalloc_proxy.so.2

#include <grp.h>
#include <sys/wait.h>

#include "support/libc_file.h"
#include "support/pattern.h"

static void check_calls(void) {
  long* passed_on = find_in_plugin(RTLD_DEFAULT, "passed_on");
  void* (*libc_malloc)(size_t) = NULL;
  *(void**)&libc_malloc = function_of_libc_file("malloc");
  for (size_t size = 1; size < 100000; size = size * 2 + 1) {
    char* p = libc_malloc(size);
    memset(p, 1, size);
    free(p);
    p = malloc(size);
    fill_pattern(p, size, size);
    check_pattern(p, size, size);
    free(p);
  }
  EXPECT(*passed_on > 0);
  const long before = *passed_on;
  setgroups(0, NULL);  // allowed or not
  EXPECT(*passed_on == before + 1);
}

int main(int argc, char** argv) {
  if (argc != 1) {
    check_calls();
    return 0;
  }
  const pid_t child = fork();
  if (child == 0) {
    char preload[8192];
    snprintf(preload, sizeof preload, "%s:%.*s/lib_passes_on.so", getenv("LD_PRELOAD"),
             (int)(strrchr(argv[0], '/') - argv[0]), argv[0]);
    setenv("LD_PRELOAD", preload, 1);
    execl(argv[0], argv[0], "again", NULL);
    _exit(99);
  }
  int status;
  EXPECT(waitpid(child, &status, 0) == child && status == 0, "%#x", status);
  return 0;
}
