"""Operators that are asked for far more than there is memory or time for, and sizes whose products overflow."""

import numpy as np
from bad_case import FLOAT, INT64, Case, floats, ints, model, node, operator, tensor, value
from onnx import TensorProto

X = floats(2, 3)
IMAGE = floats(1, 2, 8, 8)
HUGE = 1 << 40
LARGEST = (1 << 63) - 1
SMALLEST = -1 << 63


def made():
    for name, dims in (("2_40", [HUGE]), ("2_62", [1 << 62]), ("2_80", [HUGE, HUGE]), ("negative", [-1])):
        yield from operator(f"constant_of_shape_{name}", "ConstantOfShape", [ints(*dims)])
    yield from operator("constant_of_shape_of_floats", "ConstantOfShape", [floats(2)])
    yield from operator("expand_2_40", "Expand", [floats(1), ints(HUGE)], str(HUGE))
    yield from operator("expand_2_80", "Expand", [floats(1, 1), ints(HUGE, HUGE)])
    yield from operator("expand_negative", "Expand", [floats(1), ints(-3)])
    yield from operator("tile_2_40", "Tile", [floats(2), ints(HUGE)])
    yield from operator("tile_2_63", "Tile", [floats(2), ints(1 << 62)])
    yield from operator("tile_overflow", "Tile", [X, ints(1 << 62, 1 << 62)])
    yield from operator("tile_negative", "Tile", [floats(2), ints(-1)])
    text = np.array(["long " * 20_000])
    yield from operator("expand_strings", "Expand", [text, ints(100_000)], "a string needs")
    yield from operator("tile_strings", "Tile", [text, ints(100_000)], "a string needs")
    yield from operator("gather_strings", "Gather", [text, np.zeros(100_000, np.int64)], "a string needs")
    yield from operator("tile_short", "Tile", [X, ints(2)])
    zero, one = np.int64(0), np.int64(1)
    yield from operator("range_2_62", "Range", [zero, np.int64(1 << 62), one])
    yield from operator("range_of_zero", "Range", [zero, np.int64(9), zero], "delta")
    yield from operator("range_overflow", "Range", [np.int64(SMALLEST), np.int64(LARGEST), one])
    yield from operator("range_nan", "Range", [np.float32(0), np.float32("nan"), np.float32(1)])
    yield from operator("range_infinite", "Range", [np.float32(0), np.float32("inf"), np.float32(1)])
    yield from operator("range_tiny_step", "Range", [np.float64(0), np.float64(1e300), np.float64(1e-300)])
    on_off = floats(2)
    yield from operator("one_hot_2_40", "OneHot", [ints(1), np.int64(HUGE), on_off])
    yield from operator("one_hot_2_62", "OneHot", [ints(1, 2, 3, 4), np.int64(1 << 62), on_off])
    yield from operator("one_hot_negative", "OneHot", [ints(1), np.int64(-2), on_off], "-2")
    yield from operator("one_hot_zero", "OneHot", [ints(1), np.int64(0), on_off], runs=True)
    yield from operator("one_hot_nan", "OneHot", [ints(1), np.float32("nan"), on_off])
    yield from operator("one_hot_values_of_three", "OneHot", [ints(1), np.int64(3), floats(3)])
    yield from operator("one_hot_axis", "OneHot", [ints(1), np.int64(3), on_off], "9", axis=9)
    for name in ("RandomNormal", "RandomUniform"):
        for kind, shape in (("2_40", [HUGE]), ("2_80", [HUGE, HUGE]), ("negative", [-4])):
            nodes = [node(name, "", "y", shape=shape)]
            yield Case(f"{name.lower()}_{kind}", model(nodes), f"'bad' ({name})")
    yield from operator("multinomial_2_40", "Multinomial", [X], sample_size=1 << 40)
    yield from operator("multinomial_negative", "Multinomial", [X], sample_size=-1)
    for window in ("HannWindow", "HammingWindow", "BlackmanWindow"):
        yield from operator(f"{window.lower()}_2_40", window, [np.int64(HUGE)])
        # By its function body, a range up to its size, there is nothing in it.
        yield from operator(f"{window.lower()}_negative", window, [np.int64(-5)], runs=True)
    mel = [np.int64(1 << 30), np.int64(1 << 30), np.int64(16000), np.float32(0), np.float32(8000)]
    yield from operator("mel_2_60", "MelWeightMatrix", mel)
    yield from operator("mel_negative", "MelWeightMatrix", [np.int64(-1), *mel[1:]])
    yield from operator("eye_like_matrix_of_one_axis", "EyeLike", [floats(3)], "rank")
    yield from operator("eye_like_smallest", "EyeLike", [X], runs=True, k=SMALLEST)


def padded():
    yield from operator("pad_2_40", "Pad", [floats(2), ints(HUGE, 0)])
    yield from operator("pad_overflow", "Pad", [floats(2), ints(LARGEST, LARGEST)])
    yield from operator("pad_smallest", "Pad", [floats(2), ints(SMALLEST, 0)])
    yield from operator("pad_too_negative", "Pad", [floats(2), ints(-2, -2)])
    yield from operator("pad_short", "Pad", [X, ints(1, 1)])
    yield from operator("pad_axis_out", "Pad", [X, ints(1, 1), None, ints(7)])
    yield from operator("pad_axis_twice", "Pad", [X, ints(1, 1, 1, 1), None, ints(0, 0)])
    yield from operator("pad_reflect_empty", "Pad", [floats(0), ints(2, 2)], mode="reflect")
    yield from operator("pad_edge_empty", "Pad", [floats(0), ints(2, 2)], mode="edge")
    yield from operator("pad_wrap_empty", "Pad", [floats(0), ints(2, 2)], mode="wrap")
    yield from operator("pad_reflect_far", "Pad", [floats(2), ints(1 << 33, 0)], mode="reflect")
    yield from operator("center_crop_pad_2_40", "CenterCropPad", [X, ints(HUGE, 2)])
    yield from operator("center_crop_pad_negative", "CenterCropPad", [X, ints(-1, 2)])


def resized():
    scales = lambda *numbers: np.array(numbers, np.float32)  # noqa: E731
    for name, factor in (("huge", 1e9), ("infinite", "inf"), ("nan", "nan"), ("zero", 0), ("negative", -2)):
        yield from operator(f"resize_{name}", "Resize", [IMAGE, None, scales(1, 1, factor, 2)])
    yield from operator("resize_largest_size", "Resize", [IMAGE, None, None, ints(1, 2, LARGEST, 8)])
    yield from operator("resize_2_40", "Resize", [IMAGE, None, None, ints(1, 2, HUGE, 8)])
    yield from operator("resize_negative_size", "Resize", [IMAGE, None, None, ints(1, 2, -8, 8)])
    yield from operator("resize_short_scales", "Resize", [IMAGE, None, scales(1, 2)])
    yield from operator("resize_both", "Resize", [IMAGE, None, scales(1, 1, 2, 2), ints(1, 2, 8, 8)])
    yield from operator("resize_neither", "Resize", [IMAGE])
    yield from operator("resize_axis_out", "Resize", [IMAGE, None, scales(2)], axes=[9])
    yield from operator("resize_axis_twice", "Resize", [IMAGE, None, scales(2, 2)], axes=[1, 1])
    yield from operator("resize_short_roi", "Resize", [IMAGE, scales(0, 1), scales(1, 1, 2, 2)],
                        coordinate_transformation_mode="tf_crop_and_resize")
    nan_roi = scales(0, 0, "nan", "nan", 1, 1, "inf", "nan")
    yield from operator("resize_nan_roi", "Resize", [IMAGE, nan_roi, scales(1, 1, 2, 2)], "nan",
                        coordinate_transformation_mode="tf_crop_and_resize")
    yield from operator("resize_of_nothing", "Resize", [floats(1, 2, 0, 8), None, None, ints(1, 2, 4, 8)])
    yield from operator("upsample_huge", "Upsample", [IMAGE, scales(1, 1, 1e9, 1e9)], opset=9)
    yield from operator("upsample_nan", "Upsample", [IMAGE, scales(1, 1, "nan", 1)], opset=9)
    yield from operator("affine_grid_2_40", "AffineGrid", [floats(1, 2, 3), ints(1, 1, HUGE, HUGE)])
    yield from operator("affine_grid_negative", "AffineGrid", [floats(1, 2, 3), ints(1, 1, -2, 2)])
    yield from operator("depth_to_space_0", "DepthToSpace", [floats(1, 4, 2, 2)], blocksize=0)
    yield from operator("depth_to_space_2_62", "DepthToSpace", [floats(1, 4, 2, 2)], blocksize=1 << 62)
    yield from operator("space_to_depth_0", "SpaceToDepth", [floats(1, 4, 2, 2)], blocksize=0)
    yield from operator("space_to_depth_2_33", "SpaceToDepth", [floats(1, 4, 2, 2)], blocksize=1 << 33)
    yield from operator("space_to_depth_negative", "SpaceToDepth", [floats(1, 4, 2, 2)], blocksize=-2)


def transformed():
    yield from operator("dft_2_40", "DFT", [floats(1, 8, 1), np.int64(HUGE)])
    yield from operator("dft_negative", "DFT", [floats(1, 8, 1), np.int64(-8)])
    yield from operator("dft_axis_out", "DFT", [floats(1, 8, 1), None, np.int64(9)])
    yield from operator("stft_step_0", "STFT", [floats(1, 64, 1), np.int64(0), None, np.int64(16)])
    yield from operator("stft_step_negative", "STFT", [floats(1, 64, 1), np.int64(-4), None, np.int64(16)])
    yield from operator("stft_frame_huge", "STFT", [floats(1, 64, 1), np.int64(4), None, np.int64(HUGE)])
    yield from operator("stft_frame_0", "STFT", [floats(1, 64, 1), np.int64(4), None, np.int64(0)])
    yield from operator("col2im_2_40", "Col2Im", [floats(1, 4, 4), ints(HUGE, HUGE), ints(2, 2)])
    yield from operator("col2im_0", "Col2Im", [floats(1, 4, 4), ints(5, 5), ints(0, 2)])
    yield from operator("col2im_short", "Col2Im", [floats(1, 4, 4), ints(3, 3), ints(2)])
    yield from operator("col2im_other_columns", "Col2Im", [floats(1, 4, 7), ints(3, 3), ints(2, 2)])
    yield from operator("col2im_other_channels", "Col2Im", [floats(1, 5, 4), ints(3, 3), ints(2, 2)])
    yield from operator("einsum_of_nothing", "Einsum", [X], equation="")
    for name, equation in (("letter", "ij->ik"), ("arrow", "ij->->j"), ("sign", "i1->i"), ("dots", "i..j->i"),
                           ("terms", "ij,jk->ik"), ("long", "abcdefghijklm->a")):
        yield from operator(f"einsum_{name}", "Einsum", [X], equation=equation)
    yield from operator("einsum_unlike", "Einsum", [X, X], equation="ij,jk->ik")


def declared():
    """Sizes that only a declaration claims."""

    def claiming(name, op, dims, inputs="x", **attributes):
        whole = model([node(op, inputs, "y", **attributes)], [value("x", FLOAT, dims)])
        return Case(f"declared_{name}", whole, "'x'")

    yield claiming("concat_2_63", "Concat", [1 << 62, 2], "x x", axis=0)
    yield claiming("flatten_2_80", "Flatten", [HUGE, HUGE, 2], axis=3)
    yield claiming("gemm_2_80", "Gemm", [HUGE, HUGE], "x x")
    yield claiming("matmul_2_90", "MatMul", [1 << 30, 1 << 30, 1 << 30, 1 << 30], "x x")
    yield claiming("conv_2_80", "Conv", [1, HUGE, HUGE], "x x")
    yield claiming("reduce_2_80", "ReduceSum", [HUGE, HUGE])
    yield claiming("softmax_2_80", "Softmax", [HUGE, HUGE])
    yield claiming("transpose_2_80", "Transpose", [HUGE, HUGE])
    yield claiming("max_pool_2_80", "MaxPool", [1, HUGE, HUGE], kernel_shape=[HUGE])
    yield claiming("split_2_62", "Split", [1 << 62], num_outputs=1)
    yield claiming("size_2_80", "Size", [HUGE, HUGE])
    yield claiming("shape_2_80", "Shape", [HUGE, HUGE])
    weight = tensor("w", ints(2, -1))
    whole = model([node("Reshape", "x w", "y")], [value("x", FLOAT, [HUGE, HUGE])], constants=[weight])
    yield Case("declared_reshape_2_80", whole, "'x'")
    strings = model([node("Identity", "x", "y")], [value("x", TensorProto.STRING, [1 << 36])])
    yield Case("declared_strings_2_36", strings, "'x'")
    chain = [node("Concat", f"t{i} t{i}", f"t{i + 1}", name=f"c{i}", axis=0) for i in range(70)]
    yield Case("doubled_70_times", model(chain, [value("t0", FLOAT, [2])], [value("t70")]), "Concat")
    chain = [node("Mul", f"t{i} t{i}", f"t{i + 1}", name=f"m{i}") for i in range(70)]
    chain.append(node("ConstantOfShape", "t70", "y"))
    # 64-bit integers wrap around: 3 to the power of 2^70 is 1.
    yield Case("dim_squared_70_times", model(chain, [value("t0", INT64, [1])]), runs=True, inputs={"t0": ints(3)})


def cases():
    for family in (made, padded, resized, transformed, declared):
        yield from family()
