#!/usr/bin/env python3
"""field.py OUT.h5ad GZIP.h5ad LZF.h5ad: the programs of the field go on from what `vel run dynamical` has written,
compressed or not."""
import os
import sys
import unittest
import warnings

os.environ["MPLBACKEND"] = "Agg"
warnings.filterwarnings("ignore")

import anndata
import cellrank
import h5py
import matplotlib.pyplot as plt
import numpy as np
import scanpy as sc
import scvelo as scv

FILE = sys.argv.pop(1)
PACKED = {"gzip": sys.argv.pop(1), "lzf": sys.argv.pop(1)}


class TheField(unittest.TestCase):
    def setUp(self):
        self.data = anndata.read_h5ad(FILE)
        scv.settings.verbosity = 0
        sc.settings.verbosity = 0

    def tearDown(self):
        plt.close("all")

    def best_genes(self, n):
        return self.data.var["fit_likelihood"].sort_values(ascending=False).index[:n]

    def test_anndata_reads_and_writes_it(self):
        again = FILE + ".again"
        self.data.write_h5ad(again)
        self.assertEqual(anndata.read_h5ad(again).shape, self.data.shape)
        os.remove(again)

    def test_compressed_ones_hold_the_same(self):
        for how, file in PACKED.items():
            other = anndata.read_h5ad(file)
            for name, layer in self.data.layers.items():
                np.testing.assert_array_equal(*(x.toarray() if hasattr(x, "toarray") else x for x in (other.layers[name], layer)))
            for name in ("distances", "connectivities"):
                self.assertEqual((other.obsp[name] != self.data.obsp[name]).nnz, 0)
            np.testing.assert_array_equal(other.obsm["X_pca"], self.data.obsm["X_pca"])
            with h5py.File(file) as raw:
                self.assertEqual((raw["layers/Ms"].compression, raw["layers/Ms"].shuffle), (how, True))
                self.assertEqual(raw["layers/Ms"].compression_opts, {"gzip": 6, "lzf": None}[how])

    def test_the_parts_are_where_scvelo_puts_them(self):
        for layer in ("spliced", "unspliced", "Ms", "Mu", "velocity", "velocity_u", "fit_t", "fit_tau", "fit_tau_"):
            self.assertIn(layer, self.data.layers)
        for key in ("velocity_graph", "velocity_graph_neg", "velocity_params", "recover_dynamics", "neighbors"):
            self.assertIn(key, self.data.uns)
        for key in ("connectivities", "distances"):
            self.assertIn(key, self.data.obsp)

    def test_scanpy_goes_on_from_it(self):
        sc.tl.umap(self.data)
        sc.tl.diffmap(self.data)
        sc.pl.pca(self.data, color=self.best_genes(1)[0], show=False)
        sc.pl.umap(self.data, show=False)

    def test_scvelo_computes_on_it(self):
        scv.tl.velocity_embedding(self.data, basis="pca")
        scv.tl.velocity_confidence(self.data)
        scv.tl.velocity_pseudotime(self.data)
        scv.tl.latent_time(self.data)
        self.assertTrue(np.isfinite(self.data.obs["latent_time"]).all())
        self.assertTrue(np.isfinite(scv.tl.transition_matrix(self.data).data).all())

    def test_scvelo_refits_a_gene_to_the_same_likelihood(self):
        gene = self.best_genes(1)[0]
        before = float(self.data.var.loc[gene, "fit_likelihood"])
        scv.tl.recover_dynamics(self.data, var_names=[gene], n_jobs=1, show_progress_bar=False)
        self.assertAlmostEqual(float(self.data.var.loc[gene, "fit_likelihood"]), before, delta=1e-9 * before)

    def test_scvelo_draws_it(self):
        genes = list(self.best_genes(2))
        scv.pl.velocity_embedding_stream(self.data, basis="pca", show=False)
        scv.pl.velocity_embedding_grid(self.data, basis="pca", show=False)
        scv.pl.velocity_embedding(self.data, basis="pca", show=False)
        scv.pl.velocity_graph(self.data, basis="pca", show=False)
        scv.pl.scatter(self.data, genes, show=False)
        scv.pl.velocity(self.data, genes, basis="pca", show=False)
        scv.tl.latent_time(self.data)
        scv.pl.heatmap(self.data, var_names=genes, sortby="latent_time", n_convolve=5, show=False)

    def test_cellrank_takes_the_velocities(self):
        kernel = cellrank.kernels.VelocityKernel(self.data).compute_transition_matrix(show_progress_bar=False)
        rows = np.asarray(kernel.transition_matrix.sum(axis=1)).ravel()
        np.testing.assert_allclose(rows, 1, rtol=1e-6)
        combined = 0.8 * kernel + 0.2 * cellrank.kernels.ConnectivityKernel(self.data).compute_transition_matrix()
        np.testing.assert_allclose(np.asarray(combined.transition_matrix.sum(axis=1)).ravel(), 1, rtol=1e-6)


if __name__ == "__main__":
    unittest.main(verbosity=2, warnings="ignore")
