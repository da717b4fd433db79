/* How a shared library brings operators to Opscope: a plain C interface, for any language that can export
 * one. tests/custom_op/operators.c is an example.
 *
 * The library exports one function, opscopeCustomOperators, which returns a table that lives as long as the
 * process. It is loaded only when the user names it, and stays loaded.
 *
 * An operator is described by its name, its parameters and its attributes; `create` reads a node's attributes
 * once, `infer` says what the outputs will be, and one function per provider computes them. Functions may be
 * called by several threads at once, also for one instance, each call with a context of its own. A function
 * returns 0 if it succeeded; else the node fails, with the reason that the function gave to `fail`. */
#ifndef OPSCOPE_CUSTOM_OP_H
#define OPSCOPE_CUSTOM_OP_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Changes whenever a library built before the change would no longer work; others are refused. */
#define OPSCOPE_CUSTOM_OP_ABI 1

/* A set of element types, by their numbers in ONNX (TensorProto.DataType): float 1, uint8 2, int64 7, …;
 * OPSCOPE_TYPE(1) | OPSCOPE_TYPE(11) is float and double. */
#define OPSCOPE_TYPE(number) (UINT64_C(1) << (number))
#define OPSCOPE_ANY_TYPE (~UINT64_C(0))

/* A dim while inferring: a size; or a negative number that stands for a symbol or an expression, and is good
 * for OpscopeApi.dim and setOutputType within the same call. Equal dims have equal numbers. */
#define OPSCOPE_UNKNOWN_DIM (-1)

/* One call of one of the library's functions; good until the function returns. */
typedef struct OpscopeContext OpscopeContext;

/* A tensor as the library sees it: row-major; each element smaller than a byte takes one. */
typedef struct OpscopeTensor {
    int32_t elementType; /* 0 if unknown, while inferring */
    int32_t rank;        /* -1 if unknown, while inferring */
    const int64_t* dims;
    const void* data; /* NULL for strings, and while inferring */
} OpscopeTensor;

/* What the engine offers. Pointers that these functions give are good until the library's function returns.
 */
typedef struct OpscopeApi {
    /* Why the call fails; the text is copied. The first reason counts. */
    void (*fail)(OpscopeContext*, const char* reason);
    /* Not 0: nobody wants the result any more, or a limit is reached; return soon, with anything but 0. Ask
     * often in long loops. */
    int (*isCancelled)(OpscopeContext*);

    /* The node's attributes, in every call; each returns 0 if the node does not have it. */
    int (*attributeInt)(OpscopeContext*, const char* name, int64_t* value);
    int (*attributeFloat)(OpscopeContext*, const char* name, float* value);
    int (*attributeString)(OpscopeContext*, const char* name, const char** text, size_t* bytes);
    int (*attributeInts)(OpscopeContext*, const char* name, const int64_t** values, size_t* count);
    int (*attributeFloats)(OpscopeContext*, const char* name, const float** values, size_t* count);
    int (*attributeTensor)(OpscopeContext*, const char* name, OpscopeTensor* tensor);

    /* How many the node has, with those omitted in between. */
    size_t (*inputCount)(OpscopeContext*);
    size_t (*outputCount)(OpscopeContext*);
    /* Returns 0 if the input is omitted. Not in `create`. */
    int (*input)(OpscopeContext*, size_t index, OpscopeTensor* tensor);
    /* An element of a tensor of strings, counted in row-major order; while computing. NULL if there is none.
     */
    const char* (*inputString)(OpscopeContext*, size_t index, int64_t element, size_t* bytes);

    /* While inferring: the input's elements if they are known before the run, else NULL. Asking makes the
     * answer part of what the model is compiled for: ask only for what decides types and shapes. */
    const void* (*knownData)(OpscopeContext*, size_t index);
    /* Arithmetic on dims, while inferring and in `work`. `operation` is '+', '-', '*', '/' (rounding down),
     * '%', '<' (the smaller one) or '>' (the greater one). */
    int64_t (*dim)(OpscopeContext*, char operation, int64_t left, int64_t right);
    /* While inferring: what an output will be; rank -1: unknown. */
    void (*setOutputType)(OpscopeContext*, size_t index, int32_t elementType, int32_t rank,
                          const int64_t* dims);
    /* In `work`: how many of each one run computes, as dims. One multiply-add counts once. */
    void (*setWork)(OpscopeContext*, int64_t multiplyAdds, int64_t otherFlops, int64_t specialFunctions);

    /* While computing: makes the output a tensor of these dims, of the element type that was inferred, and
     * gives its elements, to be set; of strings nothing to write to, but not NULL. NULL: it could not be
     * done; return with anything but 0. An output that nobody wants is one like the others. */
    void* (*output)(OpscopeContext*, size_t index, int32_t rank, const int64_t* dims);
    void (*setOutputString)(OpscopeContext*, size_t index, int64_t element, const char* text, size_t bytes);
    /* While computing: calls body(data, begin, end) on parts of [0, count) that together cover it, at once on
     * as many threads as the provider has and as `bytesPerItem` (read and written) makes worth waking. */
    void (*parallel)(OpscopeContext*, int64_t count, int64_t bytesPerItem,
                     void (*body)(void* data, int64_t begin, int64_t end), void* data);
    /* While computing, for operators that draw: differs by node and by run, and is the same again when the
     * user asks for the same seed. */
    uint64_t (*seed)(OpscopeContext*);
} OpscopeApi;

enum { OPSCOPE_REQUIRED = 0, OPSCOPE_OPTIONAL = 1, OPSCOPE_VARIADIC = 2 };

/* An input or an output. Those of one type variable ("T") have the same element type. */
typedef struct OpscopeParameter {
    const char* name;
    const char* typeVariable;
    uint64_t types; /* OPSCOPE_TYPE(…) | … */
    int32_t kind;   /* OPSCOPE_VARIADIC, of the last one only: any number, at least one */
    const char* documentation;
} OpscopeParameter;

/* An attribute that a node may have, or must. */
typedef struct OpscopeAttribute {
    const char* name;
    const char* kind; /* "int", "float", "string", "ints", "floats" or "tensor" */
    int32_t isRequired;
    const char* defaultText; /* for people; NULL: none */
    const char* documentation;
} OpscopeAttribute;

/* Code for one provider. */
typedef struct OpscopeKernel {
    const char* provider; /* "reference", "cpu", …; one that is not there is no error */
    int (*compute)(const OpscopeApi*, OpscopeContext*, void* instance);
} OpscopeKernel;

typedef struct OpscopeOperator {
    const char* domain; /* "com.example"; ONNX's own domains are not to be extended */
    const char* name;
    int32_t sinceVersion;      /* of its domain, 1 or more */
    int32_t isRandom;          /* not 0: what comes out is drawn, so it is never computed ahead of a run */
    const char* documentation; /* Markdown */
    const OpscopeParameter* inputs;
    size_t inputCount;
    const OpscopeParameter* outputs;
    size_t outputCount;
    const OpscopeAttribute* attributes;
    size_t attributeCount;
    /* What it puts into *instance is handed to the other functions, and to `destroy` at the end. Both NULL:
     * not needed. */
    int (*create)(const OpscopeApi*, OpscopeContext*, void** instance);
    void (*destroy)(void* instance);
    int (*infer)(const OpscopeApi*, OpscopeContext*, void* instance);
    /* NULL: how much it computes is unknown. */
    int (*work)(const OpscopeApi*, OpscopeContext*, void* instance);
    const OpscopeKernel* kernels; /* one of them for "reference", which runs where no other does */
    size_t kernelCount;
} OpscopeOperator;

typedef struct OpscopeOperators {
    uint32_t abi; /* OPSCOPE_CUSTOM_OP_ABI */
    const OpscopeOperator* operators;
    size_t count;
} OpscopeOperators;

/* What a library exports, by this name. */
const OpscopeOperators* opscopeCustomOperators(void);

#ifdef __cplusplus
}
#endif

#endif
