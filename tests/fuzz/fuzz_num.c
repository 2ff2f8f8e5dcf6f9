/* Numbers and ranges: within their limits, and as written shortest they read back. With units: finite, and without them
 * when written anew. */
#include "graph/base/num.h"
#include "graph/base/quantity.h"
#include "tests/fuzz/fuzz.h"

/* Whether it may be a range of so many steps that it takes long. */
static bool is_long(const char *text)
{
    return strstr(text, ".0") || strpbrk(text, "-");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = text_of(data, size), shown[32];
    struct err err = { 0 };
    int64_t whole, *range = NULL;
    double real, again, *reals = NULL;
    size_t n = 0;

    if (num_int(&whole, text, -1000, 1LL << 40, "it", &err) < 0)
        message_is_fit(&err);
    else
        must(whole >= -1000 && whole <= 1LL << 40, "within its limits", text);
    if (num_real(&real, text, "it", &err) < 0)
        message_is_fit(&err);
    else
        must(isfinite(real) && num_real(&again, num_shortest(shown, real), "it", &err) == 0 && again == real,
             "reads back", shown);
    if (num_range(&range, &n, text, 1, 2000, "it", &err) < 0)
        message_is_fit(&err);
    else
        must(n > 0 && n <= 1000000, "some values", text);
    for (size_t i = 0; range && i < n; i++)
        must(range[i] >= 1 && range[i] <= 2000, "each within its limits", text);
    if (!is_long(text) && num_reals(&reals, &n, text, 0.5, 100, "it", &err) < 0)
        message_is_fit(&err);
    else if (reals)
        must(n > 0 && n <= 1000000, "some values", text);
    for (size_t i = 0; reals && i < n; i++)
        must(reals[i] >= 0.5 && reals[i] <= 100, "each within its limits", text);
    for (enum quantity kind = QUANTITY_SIZE; kind <= QUANTITY_TIME; kind++) {
        char *plain = NULL, digits[40];
        bool unit;

        if (quantity_parse(&real, &unit, text, kind, "it", &err) < 0)
            message_is_fit(&err);
        else
            must(isfinite(real) && *quantity_text(digits, real, kind), "a quantity", text);
        if (quantity_in(text) && quantity_rewrite(&plain, text, kind, 2.5e-9, "it", &err) < 0)
            message_is_fit(&err);
        else if (plain)
            must(!quantity_in(plain), "no units are left", plain);
        free(plain);
    }
    free(range);
    free(reals);
    free(text);
    return 0;
}
