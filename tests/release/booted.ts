import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { processesWith } from '../embedded/support.ts'
import { run } from './build.ts'

/**
 * Starts systemd as the first process of namespaces, on a copy of this machine's file system whose changes are in
 * memory below $1, after the steps of docs/how-to/install.md with the release $2. The machine has the id $3.
 */
const BOOT = String.raw`
mount -t tmpfs none "$1"
mkdir "$1/changes" "$1/work" "$1/root" "$1/groups"
mount -t cgroup2 none "$1/groups"
group=$1/groups/svc-test-$$
mkdir "$group"
trap 'find "$group" -depth -type d -exec rmdir {} +' EXIT
unshare --net --pid --fork --mount --uts --ipc sh -euc '
  echo 0 >"$3/cgroup.procs"
  exec unshare --cgroup sh -euc "$5" sh "$1" "$2" "$4"
' sh "$1" "$2" "$group" "$3" '
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
  exec env -i container=other PATH=/usr/sbin:/usr/bin:/sbin:/bin chroot . \
    /lib/systemd/systemd --unit=svc.service --show-status=false --machine-id="$3"
'`

const inNamespaces = (pid: number) => [
  ...['nsenter', '--target', `${pid}`, '--mount', '--net', '--pid', '--ipc', '--cgroup'],
  ...[`--root=/proc/${pid}/root`, '--wd=/', 'env', '-i', 'PATH=/usr/sbin:/usr/bin:/sbin:/bin'],
]

/** A machine that systemd has started with the unit of a release. */
export const bootWith = async (release: string) => {
  const directory = mkdtempSync(join(tmpdir(), 'svc-test-systemd-'))
  const id = crypto.randomUUID().replaceAll('-', '')
  const child = Bun.spawn(
    ['unshare', '--mount', 'sh', '-euc', BOOT, 'sh', directory, release, id],
    { stdin: 'ignore', stdout: 'ignore', stderr: 'inherit' },
  )
  const pid = await firstProcess(child, id)
  const inside = (...command: string[]) => run([...inNamespaces(pid), ...command])
  const systemctl = (...args: string[]) => inside('systemctl', ...args)
  const property = async (name: string) =>
    (await systemctl('show', '--value', `--property=${name}`, 'svc')).trim()
  return {
    systemctl,
    /** A property of the unit. */
    property,
    /** Waits for a text in the log of the unit. @throws Error with the log after more restarts than these. */
    async logged(pattern: RegExp, restarts: number): Promise<string> {
      for (;;) {
        const isFailing = Number(await property('NRestarts').catch(() => 0)) > restarts
        const log = await inside('journalctl', '--unit=svc', '--output=cat').catch(() => '')
        const [found] = pattern.exec(log) ?? []
        if (found) return found
        if (isFailing) throw new Error(`the unit was started again: ${log}`)
        await Bun.sleep(50)
      }
    },
    /** The command that executes a command of this machine in the network of the other. */
    beside: (...command: string[]) => ['nsenter', '--target', `${pid}`, '--net', ...command],
    async [Symbol.asyncDispose]() {
      // It ends the namespaces, and with them this command.
      await systemctl('poweroff', '--force', '--force').catch(() => {})
      await child.exited
      rmSync(directory, { recursive: true })
    },
  }
}

/** Waits for systemd. @returns its process id in this machine. */
const firstProcess = async (child: Bun.Subprocess, id: string): Promise<number> => {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`systemd ended with ${child.exitCode}`)
    const found = processesWith(`--machine-id=${id}`).find(({ command }) =>
      command.startsWith('/lib/systemd/systemd '),
    )
    if (found) return found.pid
    await Bun.sleep(50)
  }
}
