// page_fuzz SECONDS [SEED]: random operations on the reader of statistics pages.
#include "driver/driver.h"
#include "page/page_state.h"

int main(int argc, char** argv) { return mmt::fuzz::fuzz<mmt::fuzz::PageState>(argc, argv, 300); }
