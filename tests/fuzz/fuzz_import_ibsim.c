#define FILE_NAME "a.ibsim"
#include "tests/fuzz/import.h"
