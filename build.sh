#!/bin/sh
# Builds the Docker image of the greeting server:  ./build.sh [NAME]
set -eu
cd "$(dirname "$0")"
docker build -t "${1:-mcp-hello-app}" .
