// image_fuzz SECONDS [SEED]: random operations on the reader of ELF images.
#include "driver/driver.h"
#include "image/image_state.h"

int main(int argc, char** argv) { return mmt::fuzz::fuzz<mmt::fuzz::ImageState>(argc, argv, 300); }
