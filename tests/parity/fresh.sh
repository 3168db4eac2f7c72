#!/bin/sh
# fresh.sh setup
# fresh.sh make-sim DIR | make-real DIR      a reference made now, by scVelo
# fresh.sh given PARITY DIR STEP             a step on what it read in that reference
# fresh.sh run BIN_DIR DIR                   the whole path by `vel run` on the command line, compared with velcmp
# fresh.sh options BIN_DIR DIR               the options of velocity and velocity_graph, by scVelo and by vel
# fresh.sh field BIN_DIR DIR                 what vel writes, opened in anndata, scanpy, scVelo and CellRank
# fresh.sh usage BIN_DIR DIR                 the Python of docs/usage.md, on real counts
#
# Needs the pinned reference (tools/reference.sh). Where its packages cannot be had, the tests are skipped (exit code
# 77), but not in continuous integration.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
venv=${VEL_REFERENCE_VENV:-$root/.venv}
python=$venv/bin/python

skip() {
    echo "skipped: $1"
    [ -z "${CI:-}" ] || { echo "in continuous integration nothing is skipped"; exit 1; }
    exit 77
}

# A reference stays good until what makes it changes.
is_fresh() {
    [ "$1/reference.h5ad" -nt "$root/tools/make_reference.py" ] &&
        [ "$1/reference.h5ad" -nt "$venv/reference-requirements.txt" ]
}

[ "$1" = setup ] || [ -x "$python" ] || skip "the reference is not there: $python"
case $1 in
setup)
    status=0
    "$root/tools/reference.sh" "$venv" || status=$?
    [ $status != 75 ] || skip "Python or the reference's packages cannot be had"
    exit $status
    ;;
make-sim)
    is_fresh "$2" && exit 0
    "$python" "$root/tools/make_reference.py" --simulate 150x30 "$2" --n-top-genes 24 --n-pcs 12 --n-neighbors 20
    ;;
make-real)
    is_fresh "$2" && exit 0
    counts=$(PYTHON=$python "$root/tools/fetch_counts.sh" pancreas_50obs "$2") || skip "the package index cannot be reached"
    "$python" "$root/tools/make_reference.py" "$counts" "$2" --min-shared-counts 5 --n-top-genes 300 --n-pcs 15 \
        --n-neighbors 12
    ;;
given)
    exec "$2" "$3/reference.h5ad" "$4"
    ;;
run)
    chain=$("$python" -c 'import sys, anndata; print(anndata.read_h5ad(sys.argv[1]).uns["reference"]["chain"])' \
        "$3/reference.h5ad")
    "$2/vel" run "$chain | velocity vkey=velocity_det mode=deterministic | velocity vkey=velocity_sto mode=stochastic |
        recover_dynamics var_names=velocity_genes | velocity mode=dynamical | velocity_graph vkey=velocity_det |
        velocity_graph vkey=velocity_sto | velocity_graph" "$3/counts.h5ad" -o "$3/vel.h5ad" --quiet
    "$2/velcmp" "$3/reference.h5ad" "$3/vel.h5ad"
    ;;
options)
    "$python" "$root/tests/parity/velocity_options.py" "$2/vel" "$3/reference.h5ad"
    ;;
field)
    counts=$(PYTHON=$python "$root/tools/fetch_counts.sh" pancreas_100obs "$3") || skip "the package index cannot be reached"
    "$2/vel" run dynamical "$counts" -o "$3/field.h5ad" --quiet
    sleep 1 # the time of the day is no part of the result
    "$2/vel" run dynamical "$counts" -o "$3/again.h5ad" --quiet --threads 3
    cmp "$3/field.h5ad" "$3/again.h5ad"
    "$python" "$root/tools/show_result.py" "$3/field.h5ad"
    "$2/vel" run dynamical "$counts" -o "$3/gzip.h5ad" --quiet --compression gzip --compression-opts 6
    "$2/vel" run dynamical "$counts" -o "$3/lzf.h5ad" --quiet --compression lzf
    "$python" "$root/tests/parity/field.py" "$3/field.h5ad" "$3/gzip.h5ad" "$3/lzf.h5ad"
    ;;
usage)
    counts=$(PYTHON=$python "$root/tools/fetch_counts.sh" pancreas_50obs "$3") || skip "the package index cannot be reached"
    "$2/vel" run preprocess "$counts" -o "$3/moments.h5ad" --quiet
    sed -n '/^```python$/,/^```$/{/^```/!p}' "$root/docs/usage.md" >"$3/usage.py"
    echo 'assert adata.var.fit_status.eq("fitted").any() and "velocity_graph" in adata.uns' >>"$3/usage.py"
    cd "$3"
    PATH=$2:$PATH "$python" -W ignore usage.py
    ;;
*)
    echo "fresh.sh: what is $1?" >&2
    exit 2
    ;;
esac
