#!/bin/sh
# Installs the packages that the server needs, if they have changed since the last run.
set -e
# Bun runs the postinstall script of npm, which runs this one, where npm has started Bun.
[ -z "$SVC_INSTALLING" ] || exit 0
export SVC_INSTALLING=yes
cd "$(dirname "$0")/.."
version=1.4.5
installed=node_modules/.svc-installed
inputs='package.json bun.lock patches'
find $inputs -type f -exec cat {} + 2>/dev/null | cmp -s - "$installed" && exit

# By default, npm retries for a minute, and Bun for longer.
export npm_config_loglevel=error npm_config_update_notifier=false
export npm_config_fetch_retries=1 npm_config_fetch_retry_mintimeout=1000
export BUN_CONFIG_HTTP_RETRY_COUNT=2 BUN_CONFIG_HTTP_IDLE_TIMEOUT=30
log=$(mktemp) child='' ticker=''
trap 'kill $child $ticker 2>/dev/null || :; rm -f "$log"' EXIT
# npm ends this shell only, not its child processes.
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

note() { printf '%s\n' "$1" >&2; }

fail() {
  note "error: The packages of svc could not be installed: $1"
  exit 1
}

show_progress() {
  while sleep 5 >/dev/null 2>&1; do
    size=$(du -sm node_modules 2>/dev/null | cut -f1)
    note "  … ${size:-0} MB"
  done
}

# Writes what the command prints to the log.
run() {
  "$@" >"$log" 2>&1 </dev/null &
  child=$!
  code=0
  wait "$child" || code=$?
  child=''
  return "$code"
}

# The first line that says why, without the prefix of npm or Bun.
reason() {
  why=$(sed -e 's/^npm error //' -e 's/^error: //' "$log" | grep -v '^code ')
  printf '%s\n' "$why" | grep -m 1 -E 'reason: |timeout|GET ' || printf '%s\n' "$why" | grep . | tail -n 1
}

note 'Installing the packages of svc (about 220 MB to download, only this time) …'
show_progress &
ticker=$!
offline='' unreachable=''
if command -v npm >/dev/null && ! run npm view --fetch-retries=0 --fetch-timeout=15000 "bun@$version" version; then
  # The packages may be in the cache.
  offline=--offline
  unreachable="the registry of npm cannot be reached
$(reason)
Check the network, the proxy (HTTPS_PROXY) and the registry (npm config get registry), and run the command again."
fi
if [ "$(bun --version 2>/dev/null)" = "$version" ]; then
  bun=$(command -v bun)
elif command -v npx >/dev/null; then
  run npx $offline --yes --package="bun@$version" -c 'command -v bun' || fail "${unreachable:-$(reason)}"
  bun=$(tail -n 1 "$log")
else
  run bun x "bun@$version" -e 'console.log(process.execPath)' || fail "$(reason)"
  bun=$(tail -n 1 "$log")
fi
# The server needs none of the optional peers of its packages, such as a compiler.
run "$bun" install --frozen-lockfile --production --omit=peer --no-summary $offline ||
  fail "${unreachable:-$(reason)}"
find $inputs -type f -exec cat {} + >"$installed"
