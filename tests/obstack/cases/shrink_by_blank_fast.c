// The other way to make an object smaller, also where sizes have no sign.
#include "obstack/obstack_case.h"

int main(void) {
  struct obstack h;
  obstack_init(&h);
  for (int i = 0; i < 10000; ++i) obstack_1grow(&h, 'a');
  obstack_blank_fast(&h, (LENGTH)-9000);
  EXPECT(obstack_object_size(&h) == 1000);
  obstack_next_free(&h) -= 10;
  EXPECT(obstack_object_size(&h) == 990);
  printf("room %ld\n", (long)obstack_room(&h));
  obstack_grow0(&h, "end", 3);
  char* text = (char*)obstack_finish(&h);
  EXPECT(strlen(text) == 993 && strcmp(text + 989, "aend") == 0);
  obstack_free(&h, NULL);
  EXPECT(live_chunks == 0);
  return 0;
}
