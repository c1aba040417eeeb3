#!/bin/sh
# One task of an array that sums the files of a list into a directory of units.
# Submit it with the job that merges them:
#
#   stats=$(sbatch --parsable --array=0-7 slurm-stats.sh files.txt units)
#   sbatch --dependency=afterok:$stats slurm-merge.sh units model.txt
#
#SBATCH --job-name=pairrank-stats
#SBATCH --cpus-per-task=1
#SBATCH --mem=2G
#SBATCH --time=24:00:00
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=stats-%a.log

# The place of the task is in SLURM_ARRAY_TASK_ID, _MIN, _STEP and _COUNT. A task that is
# requeued skips what it did before; so does the whole array, submitted again.
pairrank stream stats --files "$1" -o "$2" --threads "${SLURM_CPUS_PER_TASK:-1}"
code=$?

# 2 is wrong usage, 3 bad data: again would be no better. Else try again, five times.
case $code in
0 | 2 | 3) exit $code ;;
esac
if [ "${SLURM_RESTART_COUNT:-0}" -lt 5 ]; then
	scontrol requeue "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID" && sleep 60 # until Slurm ends the task
fi
exit $code
