import { readdirSync, readFileSync } from 'node:fs'

const SAMPLE_MS = 20

/** The resident memory of a process, in MiB. */
export const residentMib = (pid: number): number => {
  const found = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(found?.[1] ?? Number.NaN) / 1024
}

/** The peak growth of the resident memory of a process during `work`, in MiB. */
export const growthDuring = async <T>(
  pid: number,
  work: () => Promise<T>,
): Promise<[mib: number, result: T]> => {
  const before = residentMib(pid)
  let peak = before
  const timer = setInterval(() => {
    peak = Math.max(peak, residentMib(pid))
  }, SAMPLE_MS)
  try {
    const result = await work()
    return [Math.max(peak, residentMib(pid)) - before, result]
  } finally {
    clearInterval(timer)
  }
}

/**
 * The memory of a server and its processes, in MiB: the sum of the proportional set sizes (PSS), in which
 * a page that n processes share counts as 1/n in each.
 * @param dataDir identifies processes that are no longer children, such as the watcher.
 */
export const totalMib = (serverPid: number, dataDir: string): number => {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const parents = new Map(
    all.map((pid) => [pid, /^PPid:\s+(\d+)$/m.exec(read(pid, 'status'))?.[1]]),
  )
  const belongs = (pid: string | undefined): boolean =>
    pid !== undefined &&
    (pid === String(serverPid) ||
      read(pid, 'cmdline').includes(dataDir) ||
      belongs(parents.get(pid)))
  const kib = all
    .filter(belongs)
    .map((pid) => Number(/^Pss:\s+(\d+) kB$/m.exec(read(pid, 'smaps_rollup'))?.[1] ?? 0))
  return kib.reduce((sum, each) => sum + each, 0) / 1024
}

/** Empty for a process that has ended. */
const read = (pid: string, name: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}
