// A library for early_new.cpp whose function is chosen by code that uses operator new, while
// lib_early_user.c is relocated.
#include <cstddef>
#include <cstdlib>
#include <new>

extern "C" {

char* early_news[3];
int early_news_wrong = 0;

static int one() { return 1; }

static int (*choose())() {
  for (size_t size = 1; size < 300000; size = size * 2 + 1) {
    char* block = new char[size];
    for (size_t i = 0; i < size; ++i) block[i] = 7;
    delete[] block;
    void* aligned = ::operator new (size, std::align_val_t{128});
    if (reinterpret_cast<size_t>(aligned) % 128 != 0) early_news_wrong = 1;
    ::operator delete (aligned, std::align_val_t{128});
    int* many = new (std::nothrow) int[size];
    if (many == nullptr) early_news_wrong = 2;
    operator delete[](many, std::nothrow);
  }
  for (char*& one_more : early_news) one_more = new char[5000]();
  return one;
}

int early_new_variant() __attribute__((ifunc("choose")));
}
