#!/bin/sh
# Makes the virtual environment .audit-venv with the tools of the audit, apart from what they look at,
# and runs it on .venv and the jars.
set -eu

if [ ! -x .audit-venv/bin/pip-audit ] || [ ! -x .audit-venv/bin/pip-licenses ]; then
    "${PYTHON:-python3}" -m venv .audit-venv
    .audit-venv/bin/python -m pip install --quiet --disable-pip-version-check \
        'pip-audit>=2.7,<3' 'pip-licenses>=5,<6'
fi
exec .venv/bin/python scripts/audit.py .audit-venv/bin .venv
