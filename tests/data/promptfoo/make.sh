#!/usr/bin/env bash
# Writes the exports of this folder with promptfoo 0.121.20 (1.4 GB, needs Node.js): make.sh FOLDER
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "$1"
[ -d node_modules/promptfoo ] || npm install promptfoo@0.121.20
export PROMPTFOO_CONFIG_DIR=$PWD/home PROMPTFOO_DISABLE_TELEMETRY=1 PROMPTFOO_DISABLE_UPDATE=1
rm -rf home
cp "$here"/*.js "$here"/*.yaml .

run() { # run CONFIG OUTPUT OPTIONS...
    node_modules/.bin/promptfoo eval --config "$1" --output "$2" --no-progress-bar --no-table \
        --max-concurrency 1 "${@:3}" >/dev/null || true # failing tests are not zero
    sed "s|$PWD|.|g" "$2" >"$here/$2"
}

run repeat.yaml repeat.json --repeat 3 --no-cache
run repeat.yaml repeat.jsonl --repeat 3 --no-cache
node server.js &
server=$!
trap 'kill $server' EXIT
sleep 1
run cached.yaml fresh.json
run cached.yaml cached.json
