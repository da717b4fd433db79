#include <algorithm>
#include <cstring>

#include "engine/providers/cpu/dense.h"
#include "engine/providers/cpu/parallel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/providers/cpu/dense_loops.cpp"
#include <hwy/foreach_target.h>

#include "engine/providers/cpu/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace engine::cpu {
namespace HWY_NAMESPACE {

/// Vectors of 16 lanes at most, so that a panel is a whole number of groups of four.
using PanelTag = hn::CappedTag<float, 16>;
using PanelVector = hn::Vec<PanelTag>;

/// `rows` rows of x with `vectors` vectors of one panel.
template <int rows, int vectors>
void block(const PanelProduct& product, const float* x, const float* panel, const float* bias, float* y,
           int64_t columns) {
    const PanelTag d;
    const size_t lanes = hn::Lanes(d);
    // Two sets of sums, even and odd rows of W, so that one row of x does not wait for its own additions.
    constexpr int sets = rows * vectors <= 8 ? 2 : 1;
    PanelVector sums[sets][rows][vectors];
    for (int set = 0; set < sets; ++set) {
        for (int row = 0; row < rows; ++row) {
            for (int v = 0; v < vectors; ++v) sums[set][row][v] = hn::Zero(d);
        }
    }
    const auto step = [&](int64_t k, int set) HWY_ATTR {
        PanelVector w[vectors];
        for (int v = 0; v < vectors; ++v) w[v] = hn::LoadU(d, panel + k * panelWidth + v * lanes);
        for (int row = 0; row < rows; ++row) {
            const PanelVector value = hn::Set(d, x[row * product.xStride + k]);
            for (int v = 0; v < vectors; ++v) sums[set][row][v] = hn::MulAdd(value, w[v], sums[set][row][v]);
        }
    };
    int64_t k = 0;
    for (; k + sets <= product.k; k += sets) {
        for (int set = 0; set < sets; ++set) step(k + set, set);
    }
    for (; k < product.k; ++k) step(k, 0);
    HWY_ALIGN float line[panelWidth];
    for (int row = 0; row < rows; ++row) {
        for (int v = 0; v < vectors; ++v) {
            PanelVector sum = sums[0][row][v];
            if (sets == 2) sum = hn::Add(sum, sums[sets - 1][row][v]);
            const auto at = static_cast<int64_t>(v * lanes);
            float* to = y + row * product.yStride + at;
            if (at + static_cast<int64_t>(lanes) <= columns) {
                if (bias != nullptr) sum = hn::Add(sum, hn::LoadU(d, bias + at));
                hn::StoreU(sum, d, to);
            } else if (at < columns) {
                hn::Store(sum, d, line);
                for (int64_t c = 0; c < columns - at; ++c)
                    to[c] = line[c] + (bias != nullptr ? bias[at + c] : 0);
            }
        }
    }
}

template <int rows>
void panelColumns(const PanelProduct& product, const float* x, const float* panel, const float* bias,
                  float* y, int64_t columns) {
    const auto lanes = static_cast<int64_t>(hn::Lanes(PanelTag()));
    constexpr int most = rows > 2 ? 2 : 4;
    for (int64_t at = 0; at < columns;) {
        const int64_t left = (columns - at + lanes - 1) / lanes;
        const float* w = panel + at;
        const float* b = bias == nullptr ? nullptr : bias + at;
        if (most == 4 && left >= 4) {
            block<rows, most>(product, x, w, b, y + at, columns - at);
            at += 4 * lanes;
        } else if (left >= 2) {
            block<rows, 2>(product, x, w, b, y + at, columns - at);
            at += 2 * lanes;
        } else {
            block<rows, 1>(product, x, w, b, y + at, columns - at);
            at += lanes;
        }
    }
}

void onePanel(const PanelProduct& product, const float* x, const float* panel, const float* bias, float* y,
              int64_t columns) {
    int64_t row = 0;
    for (; row + 4 <= product.m; row += 4) {
        panelColumns<4>(product, x + row * product.xStride, panel, bias, y + row * product.yStride, columns);
    }
    if (row + 2 <= product.m) {
        panelColumns<2>(product, x + row * product.xStride, panel, bias, y + row * product.yStride, columns);
        row += 2;
    }
    if (row < product.m) {
        panelColumns<1>(product, x + row * product.xStride, panel, bias, y + row * product.yStride, columns);
    }
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace engine::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace engine::cpu {
HWY_EXPORT(onePanel);

Tensor packPanels(const float* weights, int64_t rows, int64_t columns, int64_t rowStride,
                  int64_t columnStride) {
    const int64_t panels = (columns + panelWidth - 1) / panelWidth;
    Tensor packed = Tensor::allocate(DataType::float32, {panels, rows, panelWidth});
    float* to = packed.mutableValues<float>().data();
    for (int64_t panel = 0; panel < panels; ++panel) {
        for (int64_t row = 0; row < rows; ++row) {
            for (int64_t c = 0; c < panelWidth; ++c) {
                const int64_t column = panel * panelWidth + c;
                *to++ = column < columns ? weights[row * rowStride + column * columnStride] : 0;
            }
        }
    }
    return packed;
}

void multiplyPanels(const PanelProduct& product, const float* x, const float* panels, const float* bias,
                    float* y, int threads) {
    const int64_t count = (product.n + panelWidth - 1) / panelWidth;
    const int64_t bytes = product.k * product.n * 4 * ((product.m + 3) / 4);
    parallelRange(threadsFor(threads, bytes), count, [&](int64_t begin, int64_t end, int) {
        for (int64_t panel = begin; panel < end; ++panel) {
            const int64_t column = panel * panelWidth;
            HWY_DYNAMIC_DISPATCH(onePanel)
            (product, x, panels + panel * product.k * panelWidth, bias == nullptr ? nullptr : bias + column,
             y + column, std::min(panelWidth, product.n - column));
        }
    });
}

}  // namespace engine::cpu
#endif
