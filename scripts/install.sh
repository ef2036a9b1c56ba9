#!/bin/sh
# Installs the packages that the server needs, if they have changed since the last run.
set -e
cd "$(dirname "$0")/.."
installed=node_modules/.svc-installed
inputs='package.json bun.lock patches'
find $inputs -type f -exec cat {} + 2>/dev/null | cmp -s - "$installed" && exit
npx --yes --loglevel=error bun@1.4.5 install --frozen-lockfile --production
find $inputs -type f -exec cat {} + >"$installed"
