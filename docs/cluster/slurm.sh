#!/bin/sh
# A campaign and its workers in one SLURM job: sbatch docs/cluster/slurm.sh
#SBATCH --job-name=falsum
#SBATCH --ntasks=33
#SBATCH --cpus-per-task=1
#SBATCH --mem-per-cpu=4G
#SBATCH --time=12:00:00
#SBATCH --signal=INT@120
#SBATCH --output=falsum-%j.log

# One environment with the extra `cluster`, and one zoo of solvers, on a file system that all nodes share.
: "${FALSUM_ENVIRONMENT:=$HOME/falsum}"
: "${FALSUM_ZOO:=$FALSUM_ENVIRONMENT/zoo}"
: "${FALSUM_OPTIONS:=--for 11h}"
export FALSUM_ZOO
. "$FALSUM_ENVIRONMENT/bin/activate"

# The scheduler writes its address into this file, and all others read it there.
file=$PWD/falsum-$SLURM_JOB_ID.json
python -m distributed.cli.dask_scheduler --scheduler-file "$file" --no-dashboard &
scheduler=$!
workers=$((SLURM_NTASKS > 1 ? SLURM_NTASKS - 1 : 1))
srun --ntasks="$workers" --overlap python -m distributed.cli.dask_worker \
    --scheduler-file "$file" --nthreads 1 --no-dashboard --local-directory "${TMPDIR:-/tmp}" &
started=$!
trap 'kill "$started" "$scheduler"; rm -f "$file"' EXIT
until [ -s "$file" ]; do sleep 1; done
address=$(python -c "import json, sys; print(json.load(open(sys.argv[1]))['address'])" "$file")

# The command is replaced by nothing else: SLURM's signal two minutes before the end lets it save its state.
# shellcheck disable=SC2086
falsum fuzz --cluster "$address" --out falsum-out $FALSUM_OPTIONS &
campaign=$!
trap 'kill -INT "$campaign"' INT TERM
wait "$campaign"
