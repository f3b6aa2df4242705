#!/bin/sh
# Makes the virtual environment .venv with kgdb in it, editable.  Arguments: the extras to install.
set -eu

python="${PYTHON:-python3}"
if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    echo "kgdb needs Python 3.11 or later as '$python'; set PYTHON=/path/to/python3.11." >&2
    exit 1
fi
if [ ! -x .venv/bin/python ] && ! "$python" -m venv .venv; then
    rm -rf .venv
    echo "Making a virtual environment failed (Debian: apt-get install python3-venv)." >&2
    exit 1
fi
echo "Installing kgdb with its extras $1 into .venv …"
.venv/bin/python -m pip install --quiet --disable-pip-version-check --editable ".[$1]"
