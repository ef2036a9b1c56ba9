import { readFileSync } from 'node:fs'

const SAMPLE_MS = 20

/** The memory that a process has in use, in MiB. */
export const residentMib = (pid: number): number => {
  const found = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(found?.[1] ?? Number.NaN) / 1024
}

/** By how much the memory of a process grows at most while something is done, in MiB. */
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
