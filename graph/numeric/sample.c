#include "graph/numeric/sample.h"
#include "graph/numeric/rng.h"

int sample_draw(int **chosen, int size, int n, uint64_t seed, struct err *err)
{
    int *v = malloc((size_t)n * sizeof *v);
    struct rng rng;

    if (!v)
        return err_memory(err);
    for (int i = 0; i < n; i++)
        v[i] = i;
    rng_seed(&rng, seed);
    for (int i = 0; i < size; i++) {
        const int k = i + (int)rng_below(&rng, (uint64_t)(n - i)), swap = v[i];

        v[i] = v[k];
        v[k] = swap;
    }
    qsort(v, (size_t)size, sizeof *v, num_ascending);
    *chosen = v;
    return 0;
}

/* The part of Student's distribution within sqrt(freedom) * tan(angle): Abramowitz and Stegun 1964, 26.7.3 and 4. */
static double student_within(double angle, size_t freedom)
{
    const double c = cos(angle);
    const size_t odd = freedom % 2;
    double term = odd ? c : 1, sum = 0;

    for (size_t k = 2 + odd; k <= freedom; k += 2) {
        sum += term;
        term *= c * c * (double)(k - 1) / (double)k;
    }
    return odd ? (angle + sin(angle) * sum) * M_2_PI : sin(angle) * sum;
}

double sample_student(size_t freedom)
{
    const double normal = 1.959963984540054, v = (double)freedom;
    double low = 0, high = M_PI_2;

    if (freedom > 1000)         /* Fisher and Cornish 1960 */
        return normal + (pow(normal, 3) + normal) / (4 * v) +
            (5 * pow(normal, 5) + 16 * pow(normal, 3) + 3 * normal) / (96 * v * v);
    for (int i = 0; i < 60; i++) {
        const double middle = (low + high) / 2;

        *(student_within(middle, freedom) < 0.95 ? &low : &high) = middle;
    }
    return sqrt(v) * tan((low + high) / 2);
}

double sample_half(size_t n, double deviation)
{
    return n > 1 ? sample_student(n - 1) * deviation / sqrt((double)n) : (double)NAN;
}

struct estimate sample_error(const double *without, size_t size, double n)
{
    const double N = (double)size;
    double mean = 0, squares = 0, error;

    for (size_t i = 0; i < size; i++)
        mean += (without[i] - without[0]) / N;          /* alike: exactly 0 */
    for (size_t i = 0; i < size; i++)
        squares += (without[i] - without[0] - mean) * (without[i] - without[0] - mean);
    error = size > 1 ? sqrt((1 - N / n) * (N - 1) / N * squares) : (double)NAN;
    error = error < 1e-13 * fabs(without[0]) ? 0 : error;       /* what rounding makes */
    return (struct estimate){ error, size > 1 ? sample_student(size - 1) * error : error };
}
