#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/support/check.h"
#include "tests/support/child.h"

/* The program's own main, whole: signals, locale, message and status are its. */
int metapath_main(int argc, char **argv);
#define main metapath_main
#include "cli/main.c"
#undef main

#if CHILD_ASAN
#include <sanitizer/lsan_interface.h>
#endif

#define MOST_WORDS 40

/* A clock of its own: the program has one that it stops by. */
static void child_limit(double seconds)
{
    struct sigevent end = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGKILL };
    const struct itimerspec spec = { .it_value = { .tv_sec = (time_t)seconds,
        .tv_nsec = (long)(1e9 * (seconds - floor(seconds))) } };
    const struct rlimit none = { 0, 0 };
    timer_t timer;

    if (timer_create(CLOCK_MONOTONIC, &end, &timer) < 0 || timer_settime(timer, 0, &spec, NULL) < 0)
        _exit(98);
    setrlimit(RLIMIT_CORE, &none);
}

static _Noreturn void child_main(const char *command, double seconds, int output, void (*prepare)(void *arg), void *arg)
{
    static const int caught[] = { SIGFPE, SIGILL, SIGSEGV, SIGBUS, SIGSYS, SIGABRT };
    char text[1000], program[] = "metapath", *word[MOST_WORDS + 2] = { program }, *save = NULL;
    int n = 1, status;

    EACH_ROW(i, caught)      /* cmocka would go on with the next test in the child */
        signal(caught[i], SIG_DFL);
    child_limit(seconds);
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    snprintf(text, sizeof text, "%s", command);
    for (char *w = strtok_r(text, " ", &save); w && n <= MOST_WORDS; w = strtok_r(NULL, " ", &save))
        word[n++] = w;
    word[n] = NULL;
    if (prepare)
        prepare(arg);
    status = metapath_main(n, word);
    fflush(NULL);
#if CHILD_ASAN
    if (__lsan_do_recoverable_leak_check())
        status = 99;
#endif
    _exit(status);
}

void child_run(struct child *child, const char *command, double seconds, void (*prepare)(void *arg), void *arg)
{
    const int output = memfd_create("output", MFD_CLOEXEC);
    struct rusage usage;
    int status;
    pid_t pid;
    off_t len;

    assert_true(output >= 0 && fcntl(output, F_SETFL, O_APPEND) == 0);
    fflush(NULL);
    pid = fork();
    assert_true(pid >= 0);
    if (pid == 0)
        child_main(command, seconds, output, prepare, arg);
    assert_int_equal(wait4(pid, &status, 0, &usage), pid);
    *child = (struct child){
        .status = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
        .signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0,
        .peak = (double)usage.ru_maxrss * 1024,
    };
    len = lseek(output, 0, SEEK_END);
    child->len = (size_t)len;
    child->text = malloc(child->len + 1);
    assert_non_null(child->text);
    assert_true(pread(output, child->text, child->len, 0) == len);
    child->text[child->len] = '\0';
    close(output);
    child->late = child->signal == SIGKILL;
    child->faulty = child->signal || strstr(child->text, "Sanitizer") || strstr(child->text, "runtime error:");
}

void child_release(struct child *child)
{
    free(child->text);
    *child = (struct child){ 0 };
}

char *child_file(const char *path, size_t *len)
{
    FILE *f = fopen(path, "re");
    struct stat st;
    char *bytes;
    size_t n;

    if (!f)
        return NULL;
    assert_int_equal(fstat(fileno(f), &st), 0);
    bytes = malloc((size_t)st.st_size + 1);
    assert_non_null(bytes);
    n = fread(bytes, 1, (size_t)st.st_size, f);
    assert_int_equal(n, st.st_size);
    bytes[n] = '\0';
    assert_int_equal(fclose(f), 0);
    if (len)
        *len = n;
    return bytes;
}

void child_write(const char *path, const char *text)
{
    FILE *f = fopen(path, "we");

    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

char *child_litter(void)
{
    DIR *dir = opendir(".");
    char *found = NULL;

    assert_non_null(dir);
    for (struct dirent *entry = readdir(dir); entry && !found; entry = readdir(dir))
        if (strlen(entry->d_name) > 4 && strcmp(entry->d_name + strlen(entry->d_name) - 4, ".tmp") == 0)
            found = strdup(entry->d_name);
    closedir(dir);
    return found;
}
