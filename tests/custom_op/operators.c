/* An example of a library of custom operators, and what the tests load. To build it:
 *     cc -shared -fPIC -I path/to/opscope operators.c -o liboperators.so */
#include <string.h>

#include "engine/ops/custom_op.h"

#define FLOAT 1
#define INT64 7
#define STRING 8

/* The number of elements, while computing. */
static int64_t elementsOf(const OpscopeTensor* tensor) {
    int64_t count = 1;
    for (int32_t axis = 0; axis < tensor->rank; ++axis) count *= tensor->dims[axis];
    return count;
}

/* The same, while inferring: maybe a symbol. */
static int64_t elementsDim(const OpscopeApi* api, OpscopeContext* context, const OpscopeTensor* tensor) {
    if (tensor->rank < 0) return OPSCOPE_UNKNOWN_DIM;
    int64_t count = 1;
    for (int32_t axis = 0; axis < tensor->rank; ++axis)
        count = api->dim(context, '*', count, tensor->dims[axis]);
    return count;
}

/* For operators whose output is like their first input. */
static int inferLikeInput(const OpscopeApi* api, OpscopeContext* context, void* instance) {
    (void)instance;
    OpscopeTensor x;
    if (!api->input(context, 0, &x)) return 1;
    api->setOutputType(context, 0, x.elementType, x.rank, x.dims);
    return 0;
}

/* --- Scale: y = factor · x + shift */

typedef struct Scaling {
    const float* x;
    float* y;
    float factor;
    float shift;
} Scaling;

static void scaleRange(void* data, int64_t begin, int64_t end) {
    const Scaling* scaling = data;
    for (int64_t i = begin; i < end; ++i) scaling->y[i] = scaling->factor * scaling->x[i] + scaling->shift;
}

static int readScaling(const OpscopeApi* api, OpscopeContext* context, Scaling* scaling) {
    OpscopeTensor x;
    OpscopeTensor shift;
    if (!api->input(context, 0, &x) || !api->attributeFloat(context, "factor", &scaling->factor)) return 1;
    scaling->x = x.data;
    scaling->y = api->output(context, 0, x.rank, x.dims);
    scaling->shift = 0;
    if (api->input(context, 1, &shift)) {
        if (elementsOf(&shift) != 1) {
            api->fail(context, "shift must be a single number");
            return 1;
        }
        scaling->shift = *(const float*)shift.data;
    }
    return scaling->y == NULL;
}

static int scale(const OpscopeApi* api, OpscopeContext* context, void* instance) {
    (void)instance;
    Scaling scaling;
    OpscopeTensor x;
    if (readScaling(api, context, &scaling) || !api->input(context, 0, &x)) return 1;
    scaleRange(&scaling, 0, elementsOf(&x));
    return 0;
}

static int scaleOnThreads(const OpscopeApi* api, OpscopeContext* context, void* instance) {
    (void)instance;
    Scaling scaling;
    OpscopeTensor x;
    if (readScaling(api, context, &scaling) || !api->input(context, 0, &x)) return 1;
    api->parallel(context, elementsOf(&x), 2 * sizeof(float), scaleRange, &scaling);
    return 0;
}

static int scaleWork(const OpscopeApi* api, OpscopeContext* context, void* instance) {
    (void)instance;
    OpscopeTensor x;
    if (!api->input(context, 0, &x)) return 1;
    api->setWork(context, elementsDim(api, context, &x), 0, 0);
    return 0;
}

static const OpscopeParameter scaleInputs[] = {
    {"x", "T", OPSCOPE_TYPE(FLOAT), OPSCOPE_REQUIRED, "What is scaled."},
    {"shift", "T", OPSCOPE_TYPE(FLOAT), OPSCOPE_OPTIONAL, "A single number, added to each element."}};
static const OpscopeParameter scaleOutputs[] = {
    {"y", "T", OPSCOPE_TYPE(FLOAT), OPSCOPE_REQUIRED, "factor · x + shift"}};
static const OpscopeAttribute scaleAttributes[] = {
    {"factor", "float", 1, NULL, "What each element is multiplied by."}};
static const OpscopeKernel scaleKernels[] = {{"reference", scale}, {"cpu", scaleOnThreads}};

/* --- Repeat: its input `times` times, one after the other along the first axis. `times` decides a shape. */

static int inferRepeat(const OpscopeApi* api, OpscopeContext* context, void* instance) {
    (void)instance;
    OpscopeTensor x;
    if (!api->input(context, 0, &x)) return 1;
    if (x.rank == 0) {
        api->fail(context, "x must have an axis to repeat along");
        return 1;
    }
    if (x.rank < 0 || x.rank > 8) {
        api->setOutputType(context, 0, x.elementType, -1, NULL);
        return 0;
    }
    int64_t dims[8];
    memcpy(dims, x.dims, (size_t)x.rank * sizeof(int64_t));
    const int64_t* times = api->knownData(context, 1);
    dims[0] = times == NULL ? OPSCOPE_UNKNOWN_DIM : api->dim(context, '*', dims[0], *times);
    api->setOutputType(context, 0, x.elementType, x.rank, dims);
    return 0;
}

static int repeat(const OpscopeApi* api, OpscopeContext* context, void* instance) {
    (void)instance;
    OpscopeTensor x;
    OpscopeTensor times;
    if (!api->input(context, 0, &x) || !api->input(context, 1, &times)) return 1;
    const int64_t count = *(const int64_t*)times.data;
    if (count < 0 || x.rank > 8) {
        api->fail(context, "times must not be negative, and x must have at most 8 axes");
        return 1;
    }
    int64_t dims[8];
    memcpy(dims, x.dims, (size_t)x.rank * sizeof(int64_t));
    dims[0] *= count;
    float* y = api->output(context, 0, x.rank, dims);
    if (y == NULL) return 1;
    const size_t bytes = (size_t)elementsOf(&x) * sizeof(float);
    for (int64_t i = 0; i < count; ++i) memcpy((char*)y + (size_t)i * bytes, x.data, bytes);
    return 0;
}

static const OpscopeParameter repeatInputs[] = {
    {"x", "", OPSCOPE_TYPE(FLOAT), OPSCOPE_REQUIRED, "What is repeated, of rank 1 to 8."},
    {"times", "", OPSCOPE_TYPE(INT64), OPSCOPE_REQUIRED, "How often, a scalar."}};
static const OpscopeParameter repeatOutputs[] = {
    {"y", "", OPSCOPE_TYPE(FLOAT), OPSCOPE_REQUIRED, "times · x.dims[0] rows"}};
static const OpscopeKernel repeatKernels[] = {{"reference", repeat}};

/* --- Shout: each text with exclamation marks; the instance holds them. */

static const char marks[] = "!!!!!!!!";

static int createShout(const OpscopeApi* api, OpscopeContext* context, void** instance) {
    int64_t count = 1;
    api->attributeInt(context, "marks", &count);
    if (count < 1 || count > 8) {
        api->fail(context, "marks must be from 1 to 8");
        return 1;
    }
    *instance = (void*)(marks + 8 - count);
    return 0;
}

static void destroyShout(void* instance) { (void)instance; /* nothing was allocated */ }

static int shout(const OpscopeApi* api, OpscopeContext* context, void* instance) {
    OpscopeTensor x;
    if (!api->input(context, 0, &x) || api->output(context, 0, x.rank, x.dims) == NULL) return 1;
    const int64_t count = elementsOf(&x);
    for (int64_t i = 0; i < count; ++i) {
        char text[64];
        size_t bytes = 0;
        const char* word = api->inputString(context, 0, i, &bytes);
        if (word == NULL || bytes + strlen(instance) > sizeof text) {
            api->fail(context, "texts of more than 56 bytes are too long to shout");
            return 1;
        }
        memcpy(text, word, bytes);
        memcpy(text + bytes, instance, strlen(instance));
        api->setOutputString(context, 0, i, text, bytes + strlen(instance));
    }
    return 0;
}

static const OpscopeParameter texts[] = {{"x", "T", OPSCOPE_TYPE(STRING), OPSCOPE_REQUIRED, NULL}};
static const OpscopeAttribute shoutAttributes[] = {
    {"marks", "int", 0, "1", "How many exclamation marks, up to 8."}};
static const OpscopeKernel shoutKernels[] = {{"reference", shout}};

/* --- Stuck: works until it is told to stop. Silent: fails without a word. */

static int stuck(const OpscopeApi* api, OpscopeContext* context, void* instance) {
    (void)instance;
    while (!api->isCancelled(context)) {
    }
    return 1;
}

static int silent(const OpscopeApi* api, OpscopeContext* context, void* instance) {
    (void)api, (void)context, (void)instance;
    return 3;
}

/* Returns success, without having made its output. */
static int forgetful(const OpscopeApi* api, OpscopeContext* context, void* instance) {
    (void)api, (void)context, (void)instance;
    return 0;
}

static const OpscopeParameter numbers[] = {{"x", "T", OPSCOPE_TYPE(FLOAT), OPSCOPE_REQUIRED, NULL}};
static const OpscopeKernel stuckKernels[] = {{"reference", stuck}};
static const OpscopeKernel silentKernels[] = {{"reference", silent}};
static const OpscopeKernel forgetfulKernels[] = {{"reference", forgetful}};

/* One tensor of floats in, one like it out. */
#define NUMBER_OPERATOR(NAME, KERNELS)                                                                       \
    {                                                                                                        \
        .domain = "com.example", .name = NAME, .sinceVersion = 1, .inputs = numbers, .inputCount = 1,        \
        .outputs = numbers, .outputCount = 1, .infer = inferLikeInput, .kernels = KERNELS, .kernelCount = 1, \
    }

static const OpscopeOperator operators[] = {
    {.domain = "com.example",
     .name = "Scale",
     .sinceVersion = 1,
     .documentation = "Multiplies by a number and adds another.",
     .inputs = scaleInputs,
     .inputCount = 2,
     .outputs = scaleOutputs,
     .outputCount = 1,
     .attributes = scaleAttributes,
     .attributeCount = 1,
     .infer = inferLikeInput,
     .work = scaleWork,
     .kernels = scaleKernels,
     .kernelCount = 2},
    {.domain = "com.example",
     .name = "Repeat",
     .sinceVersion = 1,
     .documentation = "Repeats along the first axis.",
     .inputs = repeatInputs,
     .inputCount = 2,
     .outputs = repeatOutputs,
     .outputCount = 1,
     .infer = inferRepeat,
     .kernels = repeatKernels,
     .kernelCount = 1},
    {.domain = "com.example",
     .name = "Shout",
     .sinceVersion = 1,
     .documentation = "Puts exclamation marks behind each text.",
     .inputs = texts,
     .inputCount = 1,
     .outputs = texts,
     .outputCount = 1,
     .attributes = shoutAttributes,
     .attributeCount = 1,
     .create = createShout,
     .destroy = destroyShout,
     .infer = inferLikeInput,
     .kernels = shoutKernels,
     .kernelCount = 1},
    NUMBER_OPERATOR("Stuck", stuckKernels),
    NUMBER_OPERATOR("Silent", silentKernels),
    NUMBER_OPERATOR("Forgetful", forgetfulKernels),
};

const OpscopeOperators* opscopeCustomOperators(void) {
    static const OpscopeOperators table = {OPSCOPE_CUSTOM_OP_ABI, operators,
                                           sizeof operators / sizeof *operators};
    return &table;
}
