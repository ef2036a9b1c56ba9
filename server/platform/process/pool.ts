import pLimit from 'p-limit'
import { type ChildLimits, type LimitedChild, spawnLimited, watchUse } from './limited-child.ts'
import { type ResponseLine, readLines, requestHead, type Task } from './protocol.ts'

export type ProcessPool = ReturnType<typeof createProcessPool>

interface PoolOptions extends ChildLimits {
  /** The path of a file that calls `serveTasks`. */
  entry: string
  /** The most children at a time; further tasks wait. */
  size: number
  /** The most CPU time for one task. */
  taskCpuMs: number
  /** The most time for one task, without the wait for a child. Longer, because the machine may be busy. */
  taskMs: number
  /** The most time that a task may use no CPU, as in a child that was stopped. Default: `taskMs`. */
  stalledMs?: number
  /** How long an idle child is kept. Default: 5 s, because consecutive tasks are common and a start is slow. */
  idleMs?: number
}

export type KillReason = 'memory' | 'time' | 'aborted' | 'ended'

/** The child that ran the task was killed or ended; the task may be the cause. */
export class ChildKilled extends Error {
  override name = 'ChildKilled'
  constructor(readonly reason: KillReason) {
    super(`The child process ended: ${reason}`)
  }
}

const IDLE_MS = 5_000
/** A child is replaced after this share of its CPU limit, which covers its whole lifetime. */
const USED_SHARE = 0.25
const WRITE_BYTES = 256 * 1024
/**
 * JavaScriptCore crashes with one of these where it cannot report that an allocation failed, which happens
 * when a child reaches its kernel limit on memory before its use was measured again.
 */
const CRASHES: ReadonlySet<LimitedChild['signalCode']> = new Set([
  'SIGSEGV',
  'SIGBUS',
  'SIGABRT',
  'SIGILL',
  'SIGTRAP',
])

interface Child {
  process: LimitedChild
  lines: AsyncGenerator<ResponseLine>
  busyMs: number
  idle?: Timer
}

/** Runs work that may take too much time or memory in child processes, which can be killed. */
export const createProcessPool = (options: PoolOptions) => {
  const acquireSlot = createSlots(options.size)
  const children = createChildren(options)

  async function* run(task: Task, signal: AbortSignal): AsyncGenerator<unknown> {
    const releaseSlot = await acquireSlot(signal)
    const child = children.acquire(releaseSlot)
    const startedAt = performance.now()
    let killed: KillReason | undefined
    let isDone = false
    const kill = (reason: KillReason) => {
      killed ??= reason
      child.process.kill('SIGKILL')
    }
    const onAbort = () => kill('aborted')
    const timer = setTimeout(() => kill('time'), options.taskMs)
    const limits = {
      memoryBytes: options.memoryBytes,
      cpuMs: options.taskCpuMs,
      stalledMs: options.stalledMs,
    }
    const unwatch = watchUse(child.process.pid, limits, kill)
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      // A write to a killed child fails; `killed` already has the reason.
      const writing = write(child.process, task).catch(() => {})
      for (;;) {
        const { done, value } = await child.lines.next()
        if (done) throw new ChildKilled(killed ?? (await reasonOfEnd(child.process)))
        if ('item' in value) yield value.item
        else {
          await writing
          // After a failed allocation, the next task could fail for the same reason.
          if ('failed' in value && value.isTooLarge) throw new ChildKilled('memory')
          isDone = true
          if ('failed' in value) throw new Error(value.failed)
          return
        }
      }
    } finally {
      child.busyMs += performance.now() - startedAt
      clearTimeout(timer)
      unwatch()
      signal.removeEventListener('abort', onAbort)
      if (isDone && !killed) children.release(child)
      else children.end(child)
      releaseSlot()
    }
  }

  return {
    /**
     * Runs a task in a child process and yields the items of its response.
     * @throws ChildKilled when the task exceeds a limit or `signal` aborts.
     */
    run,
    [Symbol.asyncDispose]: children.endAll,
  }
}

/** Waits for a free slot or until `signal` aborts. @returns a function that frees the slot. */
const createSlots = (size: number) => {
  const limited = pLimit(size)
  return async (signal: AbortSignal): Promise<() => void> => {
    if (signal.aborted) throw new ChildKilled('aborted')
    const free = Promise.withResolvers<() => void>()
    const done = Promise.withResolvers<void>()
    const giveUp = () => {
      free.reject(new ChildKilled('aborted'))
      done.resolve()
    }
    signal.addEventListener('abort', giveUp, { once: true })
    limited(() => {
      free.resolve(done.resolve)
      return done.promise
    })
    return free.promise.finally(() => signal.removeEventListener('abort', giveUp))
  }
}

/** The children of a pool, which are kept for some time without a task. */
const createChildren = (options: PoolOptions) => {
  const idle: Child[] = []
  const all = new Set<Child>()

  const start = (): Child => {
    const process = spawnLimited(options.entry, options)
    process.unref()
    const child: Child = { process, lines: readLines(process.stdout), busyMs: 0 }
    all.add(child)
    // One that was killed while it was idle gets no task.
    process.exited.then(() => end(child))
    return child
  }

  const end = (child: Child) => {
    clearTimeout(child.idle)
    child.process.kill('SIGKILL')
    all.delete(child)
    const index = idle.indexOf(child)
    if (index >= 0) idle.splice(index, 1)
  }

  return {
    end,

    /** Takes an idle child or starts one, in a slot that is freed when the start fails. */
    acquire(releaseSlot: () => void): Child {
      try {
        const child = idle.pop() ?? start()
        clearTimeout(child.idle)
        return child
      } catch (error) {
        releaseSlot()
        throw error
      }
    },

    /** Keeps a child for the next task, unless it has used too much. */
    release(child: Child): void {
      if (child.busyMs > options.cpuSeconds * 1000 * USED_SHARE) end(child)
      else {
        idle.push(child)
        child.idle = setTimeout(() => end(child), options.idleMs ?? IDLE_MS)
        child.idle.unref()
      }
    },

    async endAll(): Promise<void> {
      const ending = [...all]
      for (const child of ending) end(child)
      await Promise.all(ending.map(({ process }) => process.exited))
    },
  }
}

/** Why a child ended that the pool did not kill. */
const reasonOfEnd = async (child: LimitedChild): Promise<KillReason> => {
  // A child that has closed its output but does not exit must not block the task.
  child.kill('SIGKILL')
  await child.exited
  return CRASHES.has(child.signalCode) ? 'memory' : 'ended'
}

const write = async ({ stdin }: LimitedChild, task: Task): Promise<void> => {
  stdin.write(requestHead(task))
  for (let at = 0; at < task.bytes.byteLength; at += WRITE_BYTES) {
    stdin.write(task.bytes.subarray(at, at + WRITE_BYTES))
    await stdin.flush()
  }
  await stdin.flush()
}
