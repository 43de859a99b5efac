// heap_fuzz SECONDS [SEED]: random operations on heaps.
#include "driver/driver.h"
#include "heap/heap_state.h"

int main(int argc, char** argv) { return mmt::fuzz::fuzz<mmt::fuzz::HeapState>(argc, argv, 3000); }
