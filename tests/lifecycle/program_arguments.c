// libc knows the program's arguments, and its name by them, from its own constructor on.
#include <errno.h>
#include <stdlib.h>

#include "support/expect.h"

static int count_in_constructor;
static char** words_in_constructor;
static const char* name_in_constructor;

__attribute__((constructor)) static void keep(int count, char** words, char** environment) {
  count_in_constructor = count;
  words_in_constructor = words;
  name_in_constructor = program_invocation_short_name;
  EXPECT(environment != NULL);
}

int main(int count, char** words, char** environment) {
  const char* slash = strrchr(words[0], '/');
  EXPECT(program_invocation_name == words[0]);
  EXPECT(program_invocation_short_name == (slash == NULL ? words[0] : slash + 1));
  EXPECT(name_in_constructor == program_invocation_short_name);
  EXPECT(count_in_constructor == count && words_in_constructor == words);
  EXPECT(environment == environ);
}
