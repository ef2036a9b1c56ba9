import { readdirSync, readFileSync } from 'node:fs'

/** USER_HZ, which is 100 on all Linux systems that Bun supports. */
const TICKS_PER_SECOND = 100

interface Usage {
  parent: number
  seconds: number
}

/** The last of the fields that are counted (proc(5): utime, stime, cutime, cstime). */
const SELF = 13
const WITH_ENDED_CHILDREN = 15

/** The CPU time of a process, and of its ended children, from /proc. */
const usageOf = (pid: string, end = WITH_ENDED_CHILDREN): Usage | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The process name in parentheses may contain spaces.
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const ticks = fields.slice(11, end).reduce((sum, n) => sum + n, 0)
    return { parent: fields[1] ?? 0, seconds: ticks / TICKS_PER_SECOND }
  } catch {
    return undefined
  }
}

/** The CPU time in seconds of a process itself. */
export const ownCpuSeconds = (pid: number): number => usageOf(String(pid), SELF)?.seconds ?? 0

/** The CPU time in seconds of a process and all its descendants. */
export const cpuSeconds = (pid: number): number => {
  const usages = new Map<number, Usage>()
  for (const name of readdirSync('/proc')) {
    const usage = /^\d+$/.test(name) ? usageOf(name) : undefined
    if (usage) usages.set(Number(name), usage)
  }
  const isDescendant = (id: number): boolean => {
    if (id === pid) return true
    const usage = usages.get(id)
    return usage !== undefined && usage.parent > 0 && isDescendant(usage.parent)
  }
  let sum = 0
  for (const [id, { seconds }] of usages) if (isDescendant(id)) sum += seconds
  return sum
}
