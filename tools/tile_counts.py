#!/usr/bin/env python3
"""Sparse counts of any number of cells, for runs at the size of an atlas.

    vel simulate -o base.h5ad --n-obs 5000 --n-vars 2000
    python3 tools/tile_counts.py base.h5ad counts.h5ad 1000000

Every new cell is a cell of a simulated data set, met again with fresh Poisson noise: its abundances are scaled so that
about a tenth of the spliced counts are not zero. It belongs to one of eight clusters, in each of which the abundances
fall to other genes, so that neighbours mean something. X, layers/spliced and layers/unspliced are CSR matrices of
float32. Cells are made in chunks: memory stays below 1 GB for any number of them. Same arguments, same file.
"""

import sys

import h5py
import numpy as np

CLUSTERS, CHUNK, SHARE = 8, 4096, 0.10


def scale_for(share, abundance):
    """The factor at which that share of Poisson counts is not zero (bisection)."""
    sample = np.maximum(abundance[:: max(1, len(abundance) // 200)], 0)
    low, high = 0.0, 1e3
    for _ in range(60):
        mid = (low + high) / 2
        low, high = (mid, high) if np.mean(-np.expm1(-mid * sample)) < share else (low, mid)
    return low


class Csr:
    """A matrix that grows by rows in a file."""

    def __init__(self, parent, name, rows, cols):
        self.group = parent.create_group(name)
        self.group.attrs.update({"encoding-type": "csr_matrix", "encoding-version": "0.1.0"})
        self.group.attrs["shape"] = np.array([rows, cols], dtype="int64")
        self.parts = [
            self.group.create_dataset(part, (0,), dtype, maxshape=(None,), chunks=(1 << 18,))
            for part, dtype in (("data", "float32"), ("indices", "int32"))
        ]
        self.indptr = [np.zeros(1, dtype="int64")]

    def append(self, counts):
        row, col = np.nonzero(counts)
        stored = self.indptr[-1][-1]
        for dataset, values in zip(self.parts, (counts[row, col], col)):
            dataset.resize((stored + len(col),))
            dataset[stored:] = values
        self.indptr.append(stored + np.cumsum(np.bincount(row, minlength=len(counts))))

    def close(self):
        indptr = np.concatenate(self.indptr)
        self.group.create_dataset("indptr", data=indptr if indptr[-1] > 2**31 - 1 else indptr.astype("int32"))


def frame(file, name, index):
    group = file.create_group(name)
    group.attrs.update({"encoding-type": "dataframe", "encoding-version": "0.2.0", "_index": "_index"})
    group.attrs.create("column-order", np.array([], dtype=object), dtype=h5py.string_dtype())
    names = group.create_dataset("_index", data=index, dtype=h5py.string_dtype())
    names.attrs.update({"encoding-type": "string-array", "encoding-version": "0.2.0"})


def main(base, output, n_obs):
    with h5py.File(base) as f:
        spliced, unspliced = (np.maximum(f["layers"][layer][:], 0) for layer in ("spliced", "unspliced"))
    n_base, n_vars = spliced.shape
    scale = scale_for(SHARE, spliced)
    rng = np.random.Generator(np.random.SFC64(0))
    with h5py.File(output, "w", libver="v110") as f:
        f.attrs.update({"encoding-type": "anndata", "encoding-version": "0.1.0"})
        frame(f, "obs", [f"c{i}" for i in range(n_obs)])
        frame(f, "var", [f"g{j}" for j in range(n_vars)])
        layers = f.create_group("layers")
        layers.attrs.update({"encoding-type": "dict", "encoding-version": "0.1.0"})
        matrices = [Csr(f, "X", n_obs, n_vars)] + [Csr(layers, x, n_obs, n_vars) for x in ("spliced", "unspliced")]
        for first in range(0, n_obs, CHUNK):
            cells = rng.integers(n_base, size=min(CHUNK, n_obs - first))
            shift = rng.integers(CLUSTERS, size=len(cells)) * (n_vars // CLUSTERS)
            genes = (np.arange(n_vars) + shift[:, None]) % n_vars
            counts = [rng.poisson(scale * x[cells[:, None], genes]).astype("float32") for x in (spliced, unspliced)]
            for matrix, k in zip(matrices, (0, 0, 1)):
                matrix.append(counts[k])
        for matrix in matrices:
            matrix.close()


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
