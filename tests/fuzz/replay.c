/* Gives every file of a folder to a harness, once. usage: HARNESS FOLDER */
#include <dirent.h>
#include <err.h>

#include "tests/fuzz/fuzz.h"

int LLVMFuzzerInitialize(int *argc, char ***argv) __attribute__((weak));      /* not all harnesses have one */

static void replay(const char *folder, const char *name)
{
    static uint8_t data[1 << 20];
    char path[4096];
    size_t size;
    FILE *f;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    f = fopen(path, "rb");
    if (!f)
        err(1, "%s", path);
    size = fread(data, 1, sizeof data, f);
    if (fclose(f) != 0 || size == sizeof data)
        errx(1, "%s cannot be read, or is too large", path);
    fprintf(stderr, "%s\n", path);      /* the last line says which one failed */
    if (LLVMFuzzerTestOneInput(data, size) != 0)
        errx(1, "%s: the harness does not answer 0", path);
}

int main(int argc, char **argv)
{
    struct dirent **entry;
    int n, files = 0;

    if (argc != 2)
        errx(1, "usage: %s FOLDER", argv[0]);
    if (LLVMFuzzerInitialize)
        LLVMFuzzerInitialize(&argc, &argv);
    n = scandir(argv[1], &entry, NULL, alphasort);
    if (n < 0)
        err(1, "%s", argv[1]);
    for (int i = 0; i < n; i++) {
        if (entry[i]->d_name[0] != '.') {
            replay(argv[1], entry[i]->d_name);
            files++;
        }
        free(entry[i]);
    }
    free(entry);
    printf("%d\n", files);
    return files == 0;
}
