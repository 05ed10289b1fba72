#!/usr/bin/env bash
# Writes the JUnit XML of this folder, in an environment of its own: make.sh EMPTY_FOLDER
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
python3 -m venv "$1/venv"
"$1/venv/bin/python" -m pip install --quiet pytest==9.2.0 pytest-rerunfailures==16.7 flaky==3.8.1 \
    pytest-repeat==0.9.4 pytest-flakefinder==1.1.0
cp "$here/shop.py" "$1/test_shop.py"
cd "$1"

suite() { # suite NAME OPTIONS...: one run of the tests, from their first attempt on
    rm -rf counts
    venv/bin/python -m pytest --quiet -p no:cacheprovider --tb=line --junitxml "$1.xml" "${@:2}" || true
    sed -e 's/ hostname="[^"]*"/ hostname="ci"/' -e "s|$PWD/||g" "$1.xml" >"$here/$1.xml"
}

suite pytest -p no:flaky
suite rerunfailures -p no:flaky --reruns 5
suite flaky --force-flaky --max-runs 6
suite repeat -p no:flaky --count 3
suite flakefinder -p no:flaky --flake-finder --flake-runs 3
