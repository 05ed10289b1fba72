#!/usr/bin/env bash
# Writes the logs of this folder with lm_eval 0.4.13, its dummy model and tasks of our own: make.sh FOLDER
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
[ -d "$1/venv" ] || {
    python3 -m venv "$1/venv"
    "$1/venv/bin/python" -m pip install --quiet lm_eval==0.4.13 torch==2.13.0
}
cd "$1"
cp "$here"/*.yaml "$here/questions.jsonl" .
export HF_HUB_OFFLINE=1 HF_DATASETS_OFFLINE=1 HF_HOME=$PWD/hf
rm -rf out
venv/bin/lm_eval --model dummy --tasks sums,choices --include_path . --output_path out --log_samples
for file in $(find out -name 'samples_*.jsonl'); do
    cp "$file" "$here/dummy/$(basename "$file")"
done
