// Asks for functions of lib_early.c and lib_early_new.cpp while it is relocated.
int early_variant(void) __attribute__((weak));
int early_new_variant(void) __attribute__((weak));

int (*const volatile early_asked_for[])(void) = {early_variant, early_new_variant};
