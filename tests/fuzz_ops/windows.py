"""Windows that slide over the spatial axes of a tensor: how they are drawn, and what lies below them."""

import numpy as np


class Windows:
    """`kernel`, `strides`, `dilations`, `pads` (of begin and end), what the node says of them, and the size that comes
    out of `spatial`."""

    def __init__(self, draw, spatial, takes_ceil=False, least_output=0):
        self.spatial, rank = tuple(spatial), len(spatial)
        self.attributes = {}
        self.kernel = [draw.pick([1, 2, 3, 4, 5, 7], [3, 3, 6, 1, 2, 1]) for _ in spatial]
        self.strides = self.maybe(draw, "strides", [draw.pick([1, 2, 3, 5, 11], [5, 4, 2, 1, 1]) for _ in spatial])
        self.dilations = self.maybe(draw, "dilations", [draw.pick([1, 2, 3], [5, 2, 1]) for _ in spatial])
        self.ceil = takes_ceil and draw.chance(0.3)
        if self.ceil:
            self.attributes["ceil_mode"] = 1
        self.begin, self.end = [0] * rank, [0] * rank
        mode = draw.pick(["pads", "none", "SAME_UPPER", "SAME_LOWER", "VALID", "NOTSET"], [6, 4, 1, 1, 1, 1])
        if mode == "pads":
            self.draw_pads(draw)
        elif mode != "none":
            self.attributes["auto_pad"] = mode
        if mode.startswith("SAME"):
            self.pad_to_same(mode)
        self.output = self.sizes()
        self.is_legal = min(self.output, default=0) >= least_output

    def maybe(self, draw, name, values):
        if draw.chance(0.5):
            return [1] * len(values)
        self.attributes[name] = values
        return values

    def extents(self):
        return [(kernel - 1) * dilation + 1 for kernel, dilation in zip(self.kernel, self.dilations)]

    def draw_pads(self, draw):
        most = [draw.pick([extent - 1, extent + 3], [5, 1]) for extent in self.extents()]
        self.begin, self.end = ([draw.integer(0, n) for n in most] for _ in range(2))
        self.attributes["pads"] = self.begin + self.end

    def pad_to_same(self, mode):
        for axis, extent in enumerate(self.extents()):
            size, stride = self.spatial[axis], self.strides[axis]
            total = max((-(-size // stride) - 1) * stride + extent - size, 0)
            less, more = total // 2, total - total // 2
            self.begin[axis], self.end[axis] = (less, more) if mode == "SAME_UPPER" else (more, less)

    def sizes(self):
        found = []
        for axis, extent in enumerate(self.extents()):
            room = self.spatial[axis] + self.begin[axis] + self.end[axis] - extent
            stride = self.strides[axis]
            size = (-(-room // stride) if self.ceil else room // stride) + 1
            # A window that would begin in the padding at the end is left out.
            if self.ceil and (size - 1) * stride >= self.spatial[axis] + self.begin[axis]:
                size -= 1
            found.append(size)
        return found

    def taps(self, x, fill=0):
        """For each place of the kernel, row by row, what it sees of x[n, c, ...]: [taps, n, c, *output]."""
        width = [(0, 0), (0, 0)]
        for axis, extent in enumerate(self.extents()):
            needed = (self.output[axis] - 1) * self.strides[axis] + extent
            width.append((self.begin[axis], max(needed - self.spatial[axis] - self.begin[axis], 0)))
        padded = np.pad(x, width, constant_values=fill)
        found = np.empty((int(np.prod(self.kernel)), *x.shape[:2], *self.output), x.dtype)
        for tap, place in enumerate(np.ndindex(*self.kernel)):
            cut = tuple(slice(at * dilation, at * dilation + (size - 1) * stride + 1, stride)
                        for at, dilation, size, stride in zip(place, self.dilations, self.output, self.strides))
            found[tap] = padded[(slice(None), slice(None), *cut)]
        return found

    def spread(self, columns, fill_shape):
        """The opposite: columns [taps, n, c, *output] added up to an image of that spatial shape, pads cut off."""
        full = [size + begin + end for size, begin, end in zip(fill_shape, self.begin, self.end)]
        room = [max(n, (out - 1) * stride + extent)
                for n, out, stride, extent in zip(full, self.output, self.strides, self.extents())]
        image = np.zeros((*columns.shape[1:3], *room), columns.dtype)
        for tap, place in enumerate(np.ndindex(*self.kernel)):
            cut = tuple(slice(at * dilation, at * dilation + (size - 1) * stride + 1, stride)
                        for at, dilation, size, stride in zip(place, self.dilations, self.output, self.strides))
            image[(slice(None), slice(None), *cut)] += columns[tap]
        inside = tuple(slice(begin, begin + size) for begin, size in zip(self.begin, fill_shape))
        return image[(slice(None), slice(None), *inside)]


def grouped(taps, w, groups):
    """Sums of taps [taps, n, c, *output] times weights [m, c / groups, *kernel]: [n, m, *output]."""
    n, output = taps.shape[1], taps.shape[3:]
    m, inner = w.shape[:2]
    columns = taps.reshape(taps.shape[0], n, groups, inner, int(np.prod(output)))
    kernels = w.reshape(groups, m // groups, inner, taps.shape[0])
    return np.einsum("tngio,gmit->ngmo", columns, kernels).reshape(n, m, *output)
