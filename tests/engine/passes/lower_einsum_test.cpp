#include "tests/support/pass_case.h"

namespace test {
namespace {

const PassCases cases(
    "lower-einsum",
    {
        {
            .name = "MultipliesMatrices",
            .before = R"(agraph (float[M,K] a, float[K,N] b) => (float[M,N] y)
                         { y = Einsum <equation = "mk,kn->mn"> (a, b) })",
            .after = "y = MatMul(a, b)\n",
        },
        {
            .name = "TransposesForScoresOfAttention",
            .before = R"(agraph (float[B,Q,H,D] a, float[B,K,H,D] b) => (float[B,H,Q,K] y)
                         { y = Einsum <equation = "bqhd,bkhd->bhqk"> (a, b) })",
            .after = "t0 = Transpose(a)\n"
                     "t1 = Transpose(b)\n"
                     "y = MatMul(t0, t1)\n",
        },
        {
            .name = "PutsTheResultInOrder",
            .before = R"(agraph (float[M,K] a, float[N,K] b) => (float[N,M] y)
                         { y = Einsum <equation = "mk,nk->nm"> (a, b) })",
            .after = "t0 = Transpose(b)\n"
                     "t1 = MatMul(a, t0)\n"
                     "y = Transpose(t1)\n",
        },
        {
            .name = "MergesAxesOfAProjection",
            .before = R"(agraph (float[B,S,8] a, float[8,2,4] b) => (float[B,S,2,4] y)
                         { y = Einsum <equation = "bsd,dhk->bshk"> (a, b) })",
            .after = "t0 = Reshape(b, #2)\n"
                     "t1 = MatMul(a, t0)\n"
                     "y = Reshape(t1, #4)\n",
        },
        {
            .name = "MergesAxesBesideABatch",
            .before = R"(agraph (float[B,2,M,K] a, float[B,K,N] b) => (float[B,N,2,M] y)
                         { y = Einsum <equation = "bxmk,bkn->bnxm"> (a, b) })",
        },
        {
            .name = "MergesAxesBesideABatchThatAreKnown",
            .before = R"(agraph (float[B,2,5,4] a, float[B,4,N] b) => (float[B,N,2,5] y)
                         { y = Einsum <equation = "bxmk,bkn->bnxm"> (a, b) })",
            .after = "t0 = Reshape(a, #3)\n"
                     "t1 = MatMul(t0, b)\n"
                     "t2 = Reshape(t1, #4)\n"
                     "y = Transpose(t2)\n",
        },
        {
            .name = "MergesAxesThatAreSummed",
            .before = R"(agraph (float[B,S,2,4] a, float[2,4,6] b) => (float[B,S,6] y)
                         { y = Einsum <equation = "bshk,hkd->bsd"> (a, b) })",
            .after = "t0 = Reshape(a, #3)\n"
                     "t1 = Reshape(b, #2)\n"
                     "y = MatMul(t0, t1)\n",
        },
        {
            .name = "LeavesWhatMayBroadcast",
            .before = R"(agraph (float[M,K] a, float[L,N] b) => (float[M,N] y)
                         { y = Einsum <equation = "mk,kn->mn"> (a, b) })",
        },
        {
            .name = "LeavesTypesThatMatMulDoesNotTake",
            .before = R"(agraph (int8[M,K] a, int8[K,N] b) => (int8[M,N] y)
                         { y = Einsum <equation = "mk,kn->mn"> (a, b) })",
        },
        {
            .name = "LeavesOtherSums",
            .before = R"(agraph (float[M,M] a) => (float[M] y) { y = Einsum <equation = "ii->i"> (a) })",
        },
    });

}  // namespace
}  // namespace test
