// quiet=on silences complaints about options too.
// @env MMT_OPTIONS=quiet=on:nonsense=1
// @stderr-not .
int main(void) { return 0; }
