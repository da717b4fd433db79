/* Libraries that must be refused: what is wrong is chosen by WRONG_…. */
#include "engine/ops/custom_op.h"

#ifndef WRONG_ABI
#define WRONG_ABI OPSCOPE_CUSTOM_OP_ABI
#endif
#ifndef WRONG_DOMAIN
#define WRONG_DOMAIN "com.example.wrong"
#endif
#ifndef WRONG_NAME
#define WRONG_NAME "Odd"
#endif
#ifndef WRONG_PROVIDER
#define WRONG_PROVIDER "reference"
#endif

static int nothing(const OpscopeApi* api, OpscopeContext* context, void* instance) {
    (void)api, (void)context, (void)instance;
    return 0;
}

static const OpscopeParameter parameter = {"x", "T", OPSCOPE_ANY_TYPE, OPSCOPE_REQUIRED, NULL};
static const OpscopeKernel kernel = {WRONG_PROVIDER, nothing};
static const OpscopeOperator one = {.domain = WRONG_DOMAIN,
                                    .name = WRONG_NAME,
                                    .sinceVersion = 1,
                                    .outputs = &parameter,
                                    .outputCount = 1,
                                    .infer = nothing,
                                    .kernels = &kernel,
                                    .kernelCount = 1};

const OpscopeOperators* opscopeCustomOperators(void) {
    static const OpscopeOperators table = {WRONG_ABI, &one, 1};
    return &table;
}
