// The storm also comes on an alternate signal stack that lies above the interrupted frames, in a
// thread's own first stack. Addresses cannot tell that these frames live on.
// @only mmt protocol

#include <pthread.h>
#include <unistd.h>

#include "support/signal_storm.h"

static struct Storm here;

static void* run(void* arg) {
  (void)arg;
  char near[65536];
  stack_t alternate = {.ss_sp = near, .ss_size = sizeof near};
  EXPECT(sigaltstack(&alternate, NULL) == 0);
  storm_start(&here, 3, 20000);
  storm_victim(&here, 2, 4);
  storm_stop(&here);
  stack_t none = {.ss_flags = SS_DISABLE};
  EXPECT(sigaltstack(&none, NULL) == 0);
  return NULL;
}

int main(int argc, char** argv) {
  if (argc == 1) {
    EXPECT(setenv("MMT_RSEQ", "off", 1) == 0);
    execl("/proc/self/exe", argv[0], "again", (char*)NULL);
    EXPECT(!"exec");
  }
  storm_install(SA_ONSTACK);
  pthread_t thread;
  EXPECT(pthread_create(&thread, NULL, run, NULL) == 0);
  EXPECT(pthread_join(thread, NULL) == 0);
  EXPECT(here.signals > 300, "%ld", here.signals);
  return 0;
}
