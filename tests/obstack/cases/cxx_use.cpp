// C++: objects of classes with constructors, const data, obstacks in classes and namespaces.
#include <new>
#include <string>
#include <vector>

#include "obstack/obstack_case.h"

namespace {

class Arena {
 public:
  Arena() { obstack_init(&stack_); }
  ~Arena() { obstack_free(&stack_, nullptr); }
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  template <typename T, typename... Arguments>
  T* make(Arguments... arguments) {
    return new (obstack_alloc(&stack_, sizeof(T))) T(arguments...);
  }
  const char* text(const std::string& from) {
    return static_cast<const char*>(
        obstack_copy0(&stack_, from.data(), static_cast<LENGTH>(from.size())));
  }
  bool empty() const { return obstack_empty_p(&stack_); }

 private:
  struct obstack stack_;
};

struct Node {
  Node(const char* n, Node* b) : name(n), before(b) {}
  const char* name;
  Node* before;
};

}  // namespace

int main() {
  {
    Arena arena;
    EXPECT(arena.empty());
    Node* last = nullptr;
    for (int i = 0; i < 1000; ++i) {
      last = arena.make<Node>(arena.text("node " + std::to_string(i)), last);
    }
    int i = 999;
    for (Node* node = last; node != nullptr; node = node->before, --i) {
      EXPECT("node " + std::to_string(i) == node->name, "at %d", i);
    }
    EXPECT(i == -1 && !arena.empty());
    std::vector<Arena> none;
    std::printf("%ld chunks\n", live_chunks);
  }
  EXPECT(live_chunks == 0);
  return 0;
}
