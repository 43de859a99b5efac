// Allocation works after the program's destructors. The destructor of a library that was opened
// last allocates, and so does a thread that goes on while exit runs destructors.
// @stdout ^main\nlate\n\Z

#include <dlfcn.h>
#include <pthread.h>

#include <string>

#include "support/expect.h"

namespace {

void* churn(void*) {
  for (;;) {
    std::string s(200, 'x');
    const char* text = s.data();
    OPAQUE(text);
    free(malloc(5000));
  }
}

}  // namespace

int main(int, char** argv) {
  std::string folder(argv[0], strrchr(argv[0], '/'));
  void* library = dlopen((folder + "/lib_late.so").c_str(), RTLD_NOW);
  EXPECT(library != nullptr, "%s", dlerror());
  auto allocate = reinterpret_cast<void* (*)(unsigned long)>(dlsym(library, "late_allocate"));
  delete[] static_cast<char*>(allocate(100));
  pthread_t thread;
  EXPECT(pthread_create(&thread, nullptr, churn, nullptr) == 0);
  (void)!write(1, "main\n", 5);
  return 0;
}
