// import_fuzz SECONDS [SEED]: texts of other tools that are crafted, imported and read again.
#include "driver/driver.h"
#include "import/import_state.h"

int main(int argc, char** argv) { return mmt::fuzz::fuzz<mmt::fuzz::ImportState>(argc, argv, 200); }
