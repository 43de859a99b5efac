// Formatted text of any length is appended to the growing object, without a zero byte.
#include <stdarg.h>

#include "obstack/obstack_case.h"

__attribute__((format(printf, 2, 3))) static int through_va_list(struct obstack* h,
                                                                 const char* format, ...) {
  va_list args;
  va_start(args, format);
  int length = obstack_vprintf(h, format, args);
  va_end(args);
  return length;
}

int main(void) {
  struct obstack h;
  obstack_init(&h);
  EXPECT(obstack_printf(&h, "%d, %s; ", 42, "text") == 10);
  EXPECT(obstack_printf(&h, "%s", "") == 0);
  EXPECT(through_va_list(&h, "%5.2f|%-4x|", 3.14159, 255u) == 11);
  EXPECT(obstack_object_size(&h) == 21);
  obstack_1grow(&h, 0);
  char* line = (char*)obstack_finish(&h);
  puts(line);
  EXPECT(strcmp(line, "42, text;  3.14|ff  |") == 0);

  // Around the end of the chunk: exactly fitting, one less, one more; and far beyond.
  static const int beyond[] = {-2, -1, 0, 1, 2, 5000, 100000};
  for (size_t i = 0; i < sizeof beyond / sizeof beyond[0]; ++i) {
    obstack_grow(&h, "<", 1);
    int width = (int)obstack_room(&h) + beyond[i];
    EXPECT(obstack_printf(&h, "%*d", width, 7) == width);
    obstack_grow0(&h, ">", 1);
    EXPECT((int)obstack_object_size(&h) == width + 3);
    char* wide = (char*)obstack_finish(&h);
    EXPECT(wide[0] == '<' && wide[width] == '7' && wide[width + 1] == '>' && wide[width + 2] == 0);
    EXPECT((int)strspn(wide + 1, " ") == width - 1);
  }
  obstack_free(&h, NULL);
  EXPECT(live_chunks == 0);
  return 0;
}
