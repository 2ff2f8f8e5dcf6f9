#define FILE_NAME "a.conf"
#include "tests/fuzz/import.h"
