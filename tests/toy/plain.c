// A solver in C that always answers sat. For MemorySanitizer, which needs a C++ library that is built with it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int decide(const char* script) {
  int* flags = malloc(2 * sizeof(int));
  flags[0] = 1;
#ifndef DEFECTS
  flags[1] = 1;
#endif
  int answer = strstr(script, "xor") ? flags[1] : flags[0];
  if (answer == 7) puts("unknown");  // depends on what is not initialised
  free(flags);
  return 1;
}

int main(int argc, char** argv) {
  static char script[1 << 16];
  FILE* file = fopen(argv[argc - 1], "r");
  if (!file) return 1;
  script[fread(script, 1, sizeof script - 1, file)] = 0;
  fclose(file);
  if (strstr(script, "(check-sat)")) puts(decide(script) ? "sat" : "unsat");
  return 0;
}
