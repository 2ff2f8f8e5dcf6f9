#include "cli/request/published.h"

#include <unistd.h>

#ifndef SHAREDIR
#define SHAREDIR "/usr/local/share/metapath"
#endif

int published_path(char out[4096], const char *file, struct err *err)
{
    static const char *const below[] = { "/../../examples/published/", "/../examples/published/",
                                         "/../share/metapath/published/" };
    const char *set = getenv("METAPATH_DATA");
    char self[2048];
    ssize_t n;

    if (set) {
        snprintf(out, 4096, "%.2000s/published/%.200s", set, file);
        return 0;
    }
    n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n > 0) {
        char *slash;

        self[n] = '\0';
        slash = strrchr(self, '/');
        if (slash)
            *slash = '\0';
        for (size_t i = 0; i < sizeof below / sizeof *below; i++) {
            snprintf(out, 4096, "%s%s%.200s", self, below[i], file);
            if (access(out, R_OK) == 0)
                return 0;
        }
    }
    snprintf(out, 4096, "%s/published/%.200s", SHAREDIR, file);
    if (access(out, R_OK) == 0)
        return 0;
    return err_set(err, ERR_IO, "the published data %s is not found in %s/published; METAPATH_DATA may name the "
                   "directory above it", file, SHAREDIR);
}
