#define FILE_NAME "a.csv"
#include "tests/fuzz/import.h"
