import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from './build.ts'

/**
 * Starts systemd as the first process of namespaces, on a copy of this machine's file system whose changes are in
 * memory below $1, after the steps of docs/how-to/install.md with the release $2.
 */
const BOOT = `
mount -t tmpfs none "$1"
mkdir "$1/changes" "$1/work" "$1/root" "$1/groups"
mount -t cgroup2 none "$1/groups"
group=$1/groups/svc-test-$$
mkdir "$group"
trap 'find "$group" -depth -type d -exec rmdir {} +' EXIT
unshare --net --pid --fork --mount --uts --ipc sh -euc '
  echo 0 >"$3/cgroup.procs"
  exec unshare --cgroup sh -euc "$4" sh "$1" "$2"
' sh "$1" "$2" "$group" '
  ip link set lo up
  mount -t overlay -o "lowerdir=/,upperdir=$1/changes,workdir=$1/work" none "$1/root"
  cd "$1/root"
  mount -t proc none proc
  mount -t sysfs -o ro none sys
  mount -t cgroup2 none sys/fs/cgroup
  for path in run tmp dev; do mount -t tmpfs -o mode=755 none "$path"; done
  for device in null zero full random urandom tty; do
    touch "dev/$device"
    mount --bind "/dev/$device" "dev/$device"
  done
  mkdir dev/shm dev/pts
  mount -t devpts -o newinstance,ptmxmode=0666 none dev/pts
  ln -s pts/ptmx dev/ptmx
  mkdir -p opt/svc
  mount --bind "$2" opt/svc
  grep -q ^svc: etc/passwd || chroot . useradd --system --home-dir /var/lib/svc --shell /usr/sbin/nologin svc
  install -m 600 /dev/null etc/svc.env
  cp opt/svc/svc.service etc/systemd/system/
  exec env -i container=other PATH=/usr/sbin:/usr/bin:/sbin:/bin chroot . /lib/systemd/systemd --unit=svc.service --show-status=false
'`

const inNamespaces = (pid: number) => [
  ...['nsenter', '--target', `${pid}`, '--mount', '--net', '--pid', '--ipc', '--cgroup'],
  ...[`--root=/proc/${pid}/root`, '--wd=/', 'env', '-i', 'PATH=/usr/sbin:/usr/bin:/sbin:/bin'],
]

/** A machine that systemd has started with the unit of a release. */
export const bootWith = async (release: string) => {
  const directory = mkdtempSync(join(tmpdir(), 'svc-test-systemd-'))
  const child = Bun.spawn(['unshare', '--mount', 'sh', '-euc', BOOT, 'sh', directory, release], {
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'inherit',
  })
  const pid = await firstProcess(child)
  const inside = (...command: string[]) => [...inNamespaces(pid), ...command]
  return {
    inside,
    /** The command that executes a command of this machine in the network of the other. */
    beside: (...command: string[]) => ['nsenter', '--target', `${pid}`, '--net', ...command],
    async [Symbol.asyncDispose]() {
      await run(inside('systemctl', 'poweroff', '--force', '--force')).catch(() => {})
      await child.exited
      rmSync(directory, { recursive: true })
    },
  }
}

/** Waits for systemd. @returns its process id in this machine. */
const firstProcess = async (child: Bun.Subprocess): Promise<number> => {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`systemd ended with ${child.exitCode}`)
    const found = await run(['pgrep', '--full', '--newest', '^/lib/systemd/systemd --unit=svc'])
      .then(Number)
      .catch(() => undefined)
    if (found) return found
    await Bun.sleep(50)
  }
}
