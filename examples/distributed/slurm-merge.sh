#!/bin/sh
# Adds the units of a directory and trains: slurm-merge.sh DIR MODEL, after slurm-stats.sh.
#
#SBATCH --job-name=pairrank-merge
#SBATCH --cpus-per-task=2
#SBATCH --mem=4G
#SBATCH --time=1:00:00
#SBATCH --output=merge.log

exec pairrank stream merge "$1" -o "$2" --keep-moments --threads "${SLURM_CPUS_PER_TASK:-1}"
