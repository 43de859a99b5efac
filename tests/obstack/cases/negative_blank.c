// @v1-only
// A negative blank makes the growing object smaller; there is always room for it.
#include "obstack/obstack_case.h"

int main(void) {
  struct obstack h;
  obstack_init(&h);
  obstack_grow(&h, "abcdefghij", 10);
  const long room = (long)obstack_room(&h);
  obstack_blank(&h, -4);
  EXPECT(obstack_object_size(&h) == 6 && (long)obstack_room(&h) == room + 4);
  obstack_blank_fast(&h, -2);
  EXPECT(obstack_object_size(&h) == 4);
  obstack_make_room(&h, -100);
  EXPECT(obstack_object_size(&h) == 4 && live_chunks == 1);
  obstack_grow0(&h, "XY", 2);
  char* text = (char*)obstack_finish(&h);
  puts(text);
  EXPECT(strcmp(text, "abcdXY") == 0);
  obstack_blank(&h, 5000);
  obstack_blank(&h, -5000);
  EXPECT(obstack_object_size(&h) == 0);
  obstack_free(&h, NULL);
  EXPECT(live_chunks == 0);
  return 0;
}
