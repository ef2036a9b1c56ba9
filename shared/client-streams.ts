import { startTimer } from './timers.ts'

/** Fails with an `Unreachable`, or with the reason of an aborted call. */
export type Fail = (cause: unknown) => never

/** Ends a stream whose server sends nothing. */
export interface Silence {
  /** In milliseconds. */
  afterMs: number
  /** Ends the request, so that the read fails. */
  abort: () => void
}

/** The values of an NDJSON response. */
export async function* readLines(response: Response, fail: Fail): AsyncGenerator<unknown> {
  for await (const line of readTextLines(response, fail)) if (line) yield parsePart(line, fail)
}

/** Server-sent events. Comments are keep-alives and are skipped; without them, the silence ends the stream. */
export async function* readEvents(
  response: Response,
  fail: Fail,
  silence?: Silence,
): AsyncGenerator<unknown> {
  let event = ''
  let data: string[] = []
  for await (const line of readTextLines(response, fail, silence)) {
    const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
    if (field === 'event') event = value
    if (field === 'data') data.push(value)
    if (line !== '') continue
    if (data.length) yield { event, data: parsePart(data.join('\n'), fail) }
    event = ''
    data = []
  }
}

async function* readTextLines(
  { body }: Response,
  fail: Fail,
  silence?: Silence,
): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  const reader = (body ?? new Blob().stream()).getReader()
  let rest = ''
  try {
    for (;;) {
      const timer = silence && startTimer(silence.abort, silence.afterMs)
      const { done, value } = await reader
        .read()
        .catch(fail)
        .finally(() => clearTimeout(timer))
      const lines = (rest + decoder.decode(value, { stream: !done })).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) yield line.endsWith('\r') ? line.slice(0, -1) : line
      if (done && rest) fail(new Error('The response ended within a line'))
      if (done) return
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

/** Parses one part of a stream; a part that is not JSON was cut off. */
const parsePart = (text: string, fail: Fail): unknown => {
  try {
    return JSON.parse(text)
  } catch (cause) {
    return fail(cause)
  }
}
