#define FILE_NAME "a.ibnet"
#include "tests/fuzz/import.h"
