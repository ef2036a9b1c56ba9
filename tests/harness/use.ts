import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

/** `USER_HZ`, which is 100 on all Linux systems that Bun supports. */
const TICKS_PER_SECOND = 100
const KIB_PER_MIB = 1024
/** Written to `clear_refs`, resets the peak of the resident memory of a process. */
const RESET_PEAK = '5'

const read = (pid: number, name: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1')
  } catch {
    // The process has ended.
    return ''
  }
}

const childrenOf = (pid: number): number[] => {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      read(pid, `task/${thread}/children`).split(' ').filter(Boolean).map(Number),
    )
  } catch {
    return []
  }
}

/** A process and all its descendants: of a server, its PostgreSQL and its document readers too. */
const treeOf = (pid: number): number[] => [pid, ...childrenOf(pid).flatMap(treeOf)]

/** Seconds of a process and of its ended children. */
const secondsOf = (pid: number): number => {
  const stat = read(pid, 'stat')
  // The process name in parentheses may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND
}

const isBusy = (pid: number): boolean => {
  try {
    return readdirSync(`/proc/${pid}/task`).some((thread) =>
      /\) [RD] /.test(read(pid, `task/${thread}/stat`)),
    )
  } catch {
    return false
  }
}

/** The resident memory of one process that it does not share, in KiB: now, and its peak. */
const memoryOf = (pid: number) => {
  const status = read(pid, 'status')
  const field = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0)
  const shared = field('RssFile') + field('RssShmem')
  return { now: field('VmRSS') - shared, peak: field('VmHWM') - shared }
}

export interface Use {
  /** Processor time, which does not pass while other programs have the processors. */
  seconds: number
  /** The growth of all processes from before to their peaks, in MiB. */
  mib: number
}

/**
 * Measures a process tree on Linux, with everything that ends before the processes are idle.
 * @param work calls `between` between two requests, so that memory which the first one frees does not hide the
 * growth of the next one.
 * @param settled resolves when no work is queued.
 */
export const useDuring = async (
  pid: number,
  work: (between: () => void) => Promise<void>,
  settled: () => Promise<void>,
): Promise<Use> => {
  const before = new Map(treeOf(pid).map((each) => [each, memoryOf(each).now]))
  for (const each of before.keys()) resetPeak(each)
  const start = totalSeconds(pid)
  await work(() => {
    for (const [each, kib] of before) before.set(each, Math.min(kib, memoryOf(each).now))
  })
  await settled()
  await untilIdle(pid)
  const kib = treeOf(pid).map((each) => memoryOf(each).peak - (before.get(each) ?? 0))
  return {
    seconds: totalSeconds(pid) - start,
    mib: kib.reduce((sum, each) => sum + Math.max(0, each), 0) / KIB_PER_MIB,
  }
}

const totalSeconds = (pid: number): number =>
  treeOf(pid).reduce((sum, each) => sum + secondsOf(each), 0)

const resetPeak = (pid: number): void => {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, RESET_PEAK)
  } catch {
    // The process has ended.
  }
}

const PAUSE_MS = 2
const IDLE_SAMPLES = 3

/** Waits until no thread runs or waits for a processor in several samples. */
const untilIdle = async (pid: number): Promise<void> => {
  for (let idle = 0, tree = treeOf(pid); idle < IDLE_SAMPLES; ) {
    const busy = tree.some(isBusy)
    idle = busy ? 0 : idle + 1
    if (busy) tree = treeOf(pid)
    await Bun.sleep(PAUSE_MS)
  }
}
