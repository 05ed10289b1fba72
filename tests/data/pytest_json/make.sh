#!/usr/bin/env bash
# Writes the reports of this folder, in an environment of its own: make.sh EMPTY_FOLDER
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
python3 -m venv "$1/venv"
"$1/venv/bin/python" -m pip install --quiet pytest==9.2.0 pytest-json-report==1.5.0 \
    pytest-rerunfailures==16.7 flaky==3.8.1 pytest-repeat==0.9.4
cp "$here/../junit/shop.py" "$1/test_shop.py"
cd "$1"

suite() { # suite NAME OPTIONS...: one run of the tests, from their first attempt on
    rm -rf counts
    venv/bin/python -m pytest --quiet -p no:cacheprovider --tb=line --json-report \
        --json-report-file "$1.json" --json-report-indent 1 --json-report-omit keywords traceback \
        "${@:2}" || true
    sed -e "s|$PWD|/shop|g" -e "s|/[^ :]*/lib/python|lib/python|g" "$1.json" >"$here/$1.json"
}

suite plain -p no:flaky
suite rerunfailures -p no:flaky --reruns 5
suite flaky --force-flaky --max-runs 6
suite repeat -p no:flaky --count 3
suite first -p no:flaky --exitfirst
echo "import nothing_here" >test_broken.py
suite broken -p no:flaky --continue-on-collection-errors -k "not mail"
suite summary -p no:flaky --json-report-summary
