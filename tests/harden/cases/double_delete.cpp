// An object is deleted twice.
// sizes: small
// expect: double-free
#include <new>

#include "harden/case.h"

struct Node {
  long value[3];
};
int main() {
  Node* volatile p = new Node;
  delete p;
  if (!GOOD) delete p;
  return end();
}
