#!/usr/bin/env python3
"""velocity_options.py VEL REFERENCE.h5ad: the options of velocity and velocity_graph, each run by scVelo and by vel.

What either writes has the same names, types, shapes and bits. Random draws are those of numpy.random.seed(0).
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools"))
import make_reference  # sets the environment that numpy reads, so it comes first

import anndata
import numpy as np
import pandas as pd
import scipy.sparse as sp
import scvelo as scv

VEL, REFERENCE = sys.argv.pop(1), sys.argv.pop(1)

STEADY = [
    {"fit_offset": True},
    {"r2_adjusted": True},
    {"fit_offset": True, "r2_adjusted": True},
    {"perc": 90},
    {"perc": [10, 90], "fit_offset": True},
    {"constrain_ratio": 0.3},
    {"use_raw": True},
    {"groups": ["a", "b"], "groupby": "clusters"},
    {"groups_for_fit": ["a"], "groupby": "clusters"},
    {"filter_genes": True},
    {"use_highly_variable": None},
    {"min_r2": 0.3},
    {"min_r2": 0.9999},
]
MODES = {
    "deterministic": STEADY + [{"constrain_ratio": [0.1, 0.6]}, {"groupby": "clusters"}],
    "stochastic": STEADY + [{"fit_offset2": True}, {"fit_offset": True, "fit_offset2": True},
                            {"filter_genes": True, "fit_offset": True}],
    "dynamical": [{}, {"use_latent_time": True}, {"filter_genes": True}, {"min_r2": None}, {"min_likelihood": 0.1}],
    "dynamical_residuals": [{}],
}
GRAPHS = [
    {},
    {"sqrt_transform": True},
    {"variance_stabilization": False},
    {"n_neighbors": 6},
    {"n_neighbors": 25, "basis": "pca"},
    {"mode_neighbors": "connectivities"},
    {"n_recurse_neighbors": 1},
    {"n_recurse_neighbors": 3},
    {"random_neighbors_at_max": 15},
    {"tkey": "clusters"},
    {"xkey": "spliced"},
    {"compute_uncertainties": True},
]


def written(value):
    """A value as it stands on vel's command line."""
    if value is None:
        return "none"
    return value if isinstance(value, str) else json.dumps(value)


def differences(name, a, b):
    """What differs between two results, as words."""
    if isinstance(a, dict):
        if set(a) != set(b):
            return [f"{name}: {sorted(a)} and {sorted(b)}"]
        return [d for key in a for d in differences(f"{name}/{key}", a[key], b[key])]
    if sp.issparse(a):
        a, b = (m.tocsr().sorted_indices() for m in (a, b))
        return [d for part in ("indptr", "indices", "data")
                for d in differences(f"{name}/{part}", getattr(a, part), getattr(b, part))]
    a, b = np.asarray(a), np.asarray(b)
    if a.shape != b.shape or (a.dtype != b.dtype and a.dtype.kind != "i"):
        return [f"{name}: {a.dtype} {a.shape} and {b.dtype} {b.shape}"]
    same = np.array_equal(a, b, equal_nan=a.dtype.kind == "f")
    return [] if same else [f"{name}: {np.sum(a != b)} of {a.size} values"]


def results(data):
    """Everything that belongs to the velocities."""
    parts = {"layers": data.layers, "var": data.var, "obs": data.obs, "uns": data.uns}
    return {f"{group}/{key}": part[key] for group, part in parts.items() for key in part.keys() if "velocity" in key}


class Options(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scv.settings.verbosity = 0
        make_reference.mend_stochastic_fit()

    def setUp(self):
        self.data = anndata.read_h5ad(REFERENCE)
        for part in (self.data.layers, self.data.var, self.data.obs, self.data.uns):
            for key in [key for key in part.keys() if "velocity" in key]:
                del part[key]
        place = self.data.obsm["X_pca"][:, 0]
        thirds = np.digitize(place, np.percentile(place, [33, 66]))
        self.data.obs["clusters"] = pd.Categorical(np.array(["a", "b", "c"])[thirds])
        self.data.obs["latent_time"] = (place - place.min()) / (place.max() - place.min())

    def compare(self, data, step, call, options):
        with self.subTest(step=step, **options), tempfile.TemporaryDirectory() as folder:
            source, result = (os.path.join(folder, name) for name in ("in.h5ad", "out.h5ad"))
            data.write_h5ad(source)
            arguments = [word for key, value in options.items() for word in (f"--{key}", written(value))]
            subprocess.run([VEL, step, source, "-o", result, "--quiet", *arguments], check=True)
            reference = data.copy()
            np.random.seed(0)
            call(reference, options)
            ours = anndata.read_h5ad(result)
            self.assertEqual(reference.shape, ours.shape)
            self.assertEqual([], differences("", results(reference), results(ours)))

    def test_velocity(self):
        for mode, options in MODES.items():
            for more in options:
                self.compare(self.data, "velocity", lambda data, o: scv.tl.velocity(data, **o), {"mode": mode, **more})

    def test_velocity_graph(self):
        def call(data, options):
            scv.tl.velocity_graph(data, n_jobs=1, show_progress_bar=False, **options)

        for mode in ("deterministic", "stochastic"):
            data = self.data.copy()
            scv.tl.velocity(data, mode=mode)
            genes = {"gene_subset": list(data.var_names[: data.n_vars // 2])}
            for options in GRAPHS + [genes]:
                self.compare(data, "velocity_graph", call, options)


if __name__ == "__main__":
    unittest.main(verbosity=2, warnings="ignore")
