// A C++ library with static initialisers is opened and closed 200 times, by one thread and by
// several, while others allocate.

#include <dlfcn.h>
#include <pthread.h>

#include <string>

#include "support/processes.h"

namespace {

std::string path;

void* open_and_close(void* rounds) {
  for (long i = 0; i < reinterpret_cast<long>(rounds); ++i) {
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    EXPECT(library != nullptr, "%s", dlerror());
    auto use = reinterpret_cast<size_t (*)(int)>(dlsym(library, "use_library"));
    EXPECT(use(i % 500) == static_cast<size_t>(i % 500));
    EXPECT(dlclose(library) == 0);
  }
  return nullptr;
}

}  // namespace

int main(int, char** argv) {
  path = std::string(argv[0], strrchr(argv[0], '/')) + "/lib_static_init.so";
  pthread_t churn[2];
  for (long t = 0; t < 2; ++t)
    EXPECT(!pthread_create(&churn[t], nullptr, churn_thread, reinterpret_cast<void*>(t)));
  open_and_close(reinterpret_cast<void*>(200));
  pthread_t openers[4];
  for (auto& t : openers)
    EXPECT(!pthread_create(&t, nullptr, open_and_close, reinterpret_cast<void*>(100)));
  for (auto& t : openers) pthread_join(t, nullptr);
  churn_stop = 1;
  for (auto& t : churn) pthread_join(t, nullptr);
  return 0;
}
