import type { Log } from './log.ts'
import type { LineFilter } from './log-ring.ts'
import {
  createLink,
  type EncodeTexts,
  type FoundLines,
  type Link,
  type Membership,
  type ProcessMessage,
  type ProcessMetrics,
} from './process-link.ts'

/**
 * Further processes of a server that answer requests on its port, so that it uses more than one processor. The
 * first process serves as well, owns the database and does the background work. It starts the others by the
 * command that started itself, and both exchange messages over the channel that Bun opens for a child.
 */

/** Set for a process that the first one has started. */
export const MEMBER_VARIABLE = 'SVC_MEMBER'

/** A process that is frozen must not hold up a scrape, which Prometheus ends after ten seconds. */
const ANSWER_TIMEOUT_MS = 4_000
/** The first process may wait that long for the others before it answers. */
const SERVER_ANSWER_TIMEOUT_MS = 2 * ANSWER_TIMEOUT_MS

/** The other processes of a server, as each of its processes sees them. */
export interface Siblings {
  /** The metrics of the other processes. */
  reports(): Promise<ProcessMetrics[]>
  /** Lines of the logs of the other processes. */
  lines(filter: LineFilter): Promise<FoundLines[]>
}

export type WebProcesses = ReturnType<typeof createWebProcesses>

/** How a further process of a server is started. */
export interface Program {
  /** The command that starts svc as a server. */
  command: string[]
  env: Record<string, string | undefined>
}

export interface WebProcessOptions {
  program: Program
  count: number
  log: Log
  /** The metrics of this process. */
  report(): Promise<ProcessMetrics>
  /** Lines of the log of this process. */
  findLines(filter: LineFilter): FoundLines
}

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 10_000
/** A process that served for so long was no failed start. */
const STABLE_MS = 60_000

interface Member {
  link: Link
  send(message: ProcessMessage): void
  kill(): void
}

/** The counts of processes that have ended, as those of one. */
const countsOf = async (reports: ProcessMetrics[]): Promise<ProcessMetrics[]> => {
  const counts = reports.map((report) =>
    report.filter(({ type }) => type === 'counter' || type === 'histogram'),
  )
  if (counts.length < 2) return counts
  const { mergeReports } = await import('./metrics.ts')
  return [await mergeReports(counts).getMetricsAsJSON()]
}

export const createWebProcesses = ({
  program: { command, env },
  count,
  log,
  report,
  findLines,
}: WebProcessOptions) => {
  const members = new Set<Member>()
  /** Of the processes that have ended, as of the last scrape: a sum that falls counts as a restart. */
  let retired: Promise<ProcessMetrics[]> = Promise.resolve([])
  const stopping = new AbortController()
  let running: Promise<unknown> = Promise.resolve()

  const reports = async (except?: Member): Promise<ProcessMetrics[]> => {
    const others = [...members].filter((member) => member !== except)
    const answers = await Promise.all(others.map(({ link }) => link.ask([])))
    return [...answers.flat(), ...(await retired)]
  }

  const lines = async (filter: LineFilter, except?: Member): Promise<FoundLines[]> => {
    const others = [...members].filter((member) => member !== except)
    return (await Promise.all(others.map(({ link }) => link.askLines(filter)))).flat()
  }

  /** Runs one process until it ends. */
  const run = async (membership: Membership, encode: EncodeTexts): Promise<void> => {
    const child = Bun.spawn(command, {
      env: { ...env, [MEMBER_VARIABLE]: '1' },
      stdio: ['ignore', 'inherit', 'inherit'],
      ipc: (message: ProcessMessage) => member.link.receive(message),
      serialization: 'json',
    })
    const send = (message: ProcessMessage) => {
      try {
        child.send(message)
      } catch {
        // It has ended.
      }
    }
    const member: Member = {
      send,
      kill: () => child.kill('SIGKILL'),
      link: createLink({
        send,
        answer: async () => [await report(), ...(await reports(member))],
        answerLines: async (filter) => [findLines(filter), ...(await lines(filter, member))],
        encode,
        timeoutMs: ANSWER_TIMEOUT_MS,
      }),
    }
    members.add(member)
    send({ type: 'join', membership })
    if (stopping.signal.aborted) send({ type: 'stop' })
    const code = await child.exited
    members.delete(member)
    retired = retired.then((earlier) => countsOf([...earlier, ...member.link.known()]))
    if (!stopping.signal.aborted)
      log.error({ pid: child.pid, code, signal: child.signalCode }, 'a web process has ended')
  }

  const keep = async (membership: Membership, encode: EncodeTexts): Promise<void> => {
    let pause = FIRST_PAUSE_MS
    while (!stopping.signal.aborted) {
      const since = performance.now()
      await run(membership, encode).catch((error: unknown) =>
        log.error({ error }, 'a web process did not start'),
      )
      pause = performance.now() - since > STABLE_MS ? FIRST_PAUSE_MS : pause
      await Promise.race([Bun.sleep(pause), aborted(stopping.signal)])
      pause = Math.min(2 * pause, LONGEST_PAUSE_MS)
    }
  }

  return {
    reports: (): Promise<ProcessMetrics[]> => reports(),
    lines: (filter: LineFilter): Promise<FoundLines[]> => lines(filter),
    /**
     * Starts the processes. Each that ends is started again until `stop`.
     * @param encode the encoder of this process, which the others use.
     */
    begin(membership: Membership, encode: EncodeTexts): void {
      running = Promise.all(Array.from({ length: count }, () => keep(membership, encode)))
    },
    /** Lets the processes finish their requests; a second call hurries them. */
    stop(): void {
      stopping.abort()
      for (const { send } of members) send({ type: 'stop' })
    },
    /** Resolves when all have ended. Those that have not after this time, such as a frozen one, are killed. */
    async ended(timeoutMs: number): Promise<void> {
      stopping.abort()
      const timer = setTimeout(() => {
        for (const { kill } of members) kill()
      }, timeoutMs)
      await running
      clearTimeout(timer)
    },
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

/** The side of a process that the first one has started. */
export type Joined = Awaited<ReturnType<typeof joinServer>>

/**
 * Waits for what this process needs to serve. It ends at once with the first process: the port and the database
 * belong to that. Ctrl-C and the end of the terminal reach both, and the first one decides.
 */
export const joinServer = async () => {
  const joined = Promise.withResolvers<Membership>()
  // Until it serves, there is nothing to finish.
  let stop = (): void => process.exit(0)
  let report: () => Promise<ProcessMetrics> = async () => []
  let findOwn: (filter: LineFilter) => FoundLines[] = () => []
  const link = createLink({
    send: (message) => process.send?.(message),
    answer: async () => [await report()],
    answerLines: async (filter) => findOwn(filter),
    timeoutMs: SERVER_ANSWER_TIMEOUT_MS,
  })
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {})
  process.on('disconnect', () => process.exit(1))
  process.on('message', (message: ProcessMessage) => {
    if (message.type === 'join') joined.resolve(message.membership)
    else if (message.type === 'stop') stop()
    else link.receive(message)
  })
  return {
    membership: await joined.promise,
    reports: async (): Promise<ProcessMetrics[]> => link.ask([await report()]),
    lines: (filter: LineFilter): Promise<FoundLines[]> => link.askLines(filter),
    /** Uses the encoder of the first process. */
    encode: link.encode,
    /** Calls `stop` when the first process stops, and at each SIGTERM. */
    onStop(given: () => void): void {
      stop = given
      process.on('SIGTERM', given)
    },
    /** Gives the metrics of this process, and lines of its log. */
    answer(
      given: () => Promise<ProcessMetrics>,
      findLines: (filter: LineFilter) => FoundLines,
    ): void {
      report = given
      findOwn = (filter) => [findLines(filter)]
    },
  }
}
