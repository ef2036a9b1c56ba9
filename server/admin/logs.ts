import {
  LOG_LEVELS,
  type LogLine,
  type LogLines,
  type LogQuery,
} from '../../shared/contract/logs.ts'
import type { KeptLine, LineFilter } from '../platform/log-ring.ts'

/** Finds lines in the logs of all processes of this server, in any order. */
export type FindLines = (filter: LineFilter) => Promise<{ lines: KeptLine[]; processes: string[] }>

export type LogService = ReturnType<typeof createLogService>

/** The last lines of the log, which the processes keep in memory. */
export const createLogService = (findLines: FindLines) => ({
  async read({ level, q = '', limit, before }: LogQuery): Promise<LogLines> {
    const { lines, processes } = await findLines({
      words: q.toLowerCase().split(/\s+/).filter(Boolean),
      levels: LOG_LEVELS.slice(LOG_LEVELS.indexOf(level)),
      before,
      limit: limit + 1,
    })
    const sorted = lines.toSorted((a, b) => (a.key < b.key ? 1 : -1))
    const page = sorted.slice(0, limit)
    return {
      lines: page.map(present),
      processes: processes.toSorted(),
      next_before: sorted.length > limit ? (page.at(-1)?.key ?? null) : null,
    }
  },
})

const present = ({ key, text }: KeptLine): LogLine => {
  const [time = '', process = ''] = key.split(' ')
  const { level, time: written, msg, ...details } = parse(text)
  return {
    id: key,
    process,
    time: typeof written === 'string' ? written : time,
    level: LOG_LEVELS.find((each) => each === level) ?? 'info',
    message: typeof msg === 'string' ? msg : '',
    details,
  }
}

/** @returns the start of a line that was cut, because it was very long. */
const parse = (text: string): Record<string, unknown> => {
  try {
    return JSON.parse(text)
  } catch {
    return { level: /^\{"level":"(\w+)"/.exec(text)?.[1], msg: text }
  }
}
