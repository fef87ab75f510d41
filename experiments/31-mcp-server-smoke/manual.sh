#!/usr/bin/env bash
# Pipes input.bin into the server and keeps what it says, in this folder or in the one that is given.
set -euo pipefail
cd "$(dirname "$0")"
to="${1:-.}"
../../ccmcp miniagent < input.bin > "$to/output.bin" 2> "$to/stderr.log"
