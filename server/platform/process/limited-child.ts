import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'

export interface ChildLimits {
  /** The most resident memory; a child that exceeds it is killed. */
  memoryBytes: number
  /** The most CPU time over the lifetime of the child. */
  cpuSeconds: number
  /** Address space that the child reserves beyond that and does not fill. Default: 0. */
  reservedBytes?: number
}

/** Makes the executable of a release run a file, as Bun does. */
const AS_BUN = { BUN_BE_BUN: '1' }

/** Mapped memory is not always resident, so the kernel limit is higher than the resident limit. */
const DATA_FACTOR = 2

/**
 * By default, JavaScriptCore reserves 1 GiB for compiled code, which counts for `RLIMIT_DATA`. Where the
 * reservation fails, it interprets, which takes six times as long.
 */
const COMPILED_CODE_BYTES = 64 * 1024 * 1024

/**
 * Starts a TypeScript file in a separate process, with kernel limits on CPU time and, on Linux, on
 * memory (`RLIMIT_CPU`, `RLIMIT_DATA`; `RLIMIT_AS` does not work with the address space that
 * JavaScriptCore reserves). The child gets nothing of the environment, because it needs no secrets of the
 * server.
 */
export const spawnLimited = (
  entry: string,
  { memoryBytes, cpuSeconds, reservedBytes = 0 }: ChildLimits,
): LimitedChild => {
  const command = [process.execPath, '--smol', entry]
  const dataKilobytes = Math.ceil((memoryBytes * DATA_FACTOR + reservedBytes) / 1024)
  // Where the shell does not support a memory limit, only `watchUse` applies.
  const script = `ulimit -t ${cpuSeconds}; ulimit -d ${dataKilobytes} 2>/dev/null; exec "$@"`
  return Bun.spawn(
    process.platform === 'win32' ? command : ['/bin/sh', '-c', script, 'sh', ...command],
    {
      // Bun runs code that the `bunfig.toml` of the current folder names.
      cwd: dirname(entry),
      env: { ...AS_BUN, BUN_JSC_jitMemoryReservationSize: String(COMPILED_CODE_BYTES) },
      stdin: 'pipe',
      stdout: 'pipe',
      stderr: 'ignore',
    },
  )
}

export type LimitedChild = Bun.Subprocess<'pipe', 'pipe', 'ignore'>

/** The resource usage of a process. */
interface Use {
  /** Resident memory. */
  memoryBytes: number
  /** CPU time of all its threads since it started. */
  cpuMs: number
}

interface UseLimits {
  memoryBytes: number
  /** The most CPU time from now on. It does not pass while other processes have the processors. */
  cpuMs: number
  /** The most time without any use of a CPU, as of a process that was stopped. */
  stalledMs?: number | undefined
}

const POLL_MS = 50
/** The interval where each measurement runs `ps`. */
const SLOW_POLL_MS = 500

/**
 * Calls `onExceeded` once when a process uses more memory or CPU time than allowed.
 * @returns a function that stops watching.
 */
export const watchUse = (
  pid: number,
  limits: UseLimits,
  onExceeded: (what: 'memory' | 'time') => void,
) => {
  const isLinux = process.platform === 'linux'
  let cpuMsBefore = isLinux ? useOnLinux(pid)?.cpuMs : undefined
  let last = { cpuMs: cpuMsBefore, at: performance.now() }
  const check = (use: Use | undefined) => {
    if (!use) return
    cpuMsBefore ??= use.cpuMs
    const now = performance.now()
    if (use.cpuMs !== last.cpuMs) last = { cpuMs: use.cpuMs, at: now }
    const isTooLarge = use.memoryBytes > limits.memoryBytes
    const isStalled = now - last.at > (limits.stalledMs ?? Number.POSITIVE_INFINITY)
    if (!isTooLarge && !isStalled && use.cpuMs - cpuMsBefore <= limits.cpuMs) return
    clearInterval(timer)
    onExceeded(isTooLarge ? 'memory' : 'time')
  }
  const timer = setInterval(
    async () => check(isLinux ? useOnLinux(pid) : await useByPs(pid)),
    isLinux ? POLL_MS : SLOW_POLL_MS,
  )
  timer.unref()
  return () => clearInterval(timer)
}

/** `USER_HZ`, which is 100 on every architecture that Bun supports. */
const TICK_MS = 10

/** Undefined for a process that has ended. */
const useOnLinux = (pid: number): Use | undefined => {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1')
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The second field is the name, in parentheses; the 14th and 15th are user and system time.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return {
      memoryBytes: Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024,
      cpuMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS,
    }
  } catch {
    return undefined
  }
}

const useByPs = async (pid: number): Promise<Use | undefined> => {
  if (process.platform === 'win32') return undefined
  const ps = Bun.spawn(['ps', '-o', 'rss=,time=', '-p', String(pid)], { stderr: 'ignore' })
  const [kilobytes, time] = (await ps.stdout.text()).trim().split(/ +/)
  if (!kilobytes || !time) return undefined
  return { memoryBytes: Number(kilobytes) * 1024, cpuMs: millisecondsOf(time) }
}

/** Of `[[days-]hours:]minutes:seconds`, with or without fractions. */
const millisecondsOf = (time: string): number => {
  const [seconds = 0, minutes = 0, hours = 0, days = 0] = time.split(/[-:]/).map(Number).reverse()
  return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000
}
