import { ApiFailure, Unreachable } from '../../../shared/client.ts'
import { type Fail, readEvents, readLines } from '../../../shared/client-streams.ts'
import { describeFailure } from '../../../shared/failure.ts'
import { CliError, usageError } from '../../errors.ts'
import { type Io, indentedJson, oneLine, stripControls } from '../../output.ts'

/**
 * Prints a response: JSON as one value, a stream as one value for each part, other types unchanged.
 * @returns the value of a JSON response.
 * @throws CliError for a status outside 2xx or an `error` event, after it was printed.
 */
export const printResponse = async (io: Io, response: Response): Promise<unknown> => {
  const type = response.headers.get('content-type')?.split(';')[0] ?? ''
  const fail: Fail = (cause) => {
    throw new Unreachable(`The response of ${new URL(response.url).origin} was cut off`, { cause })
  }
  if (!response.ok) throw await printFailure(io, response, fail)
  if (type === 'text/event-stream') return printEvents(io, readEvents(response, fail))
  if (type === 'application/x-ndjson') return printLines(io, readLines(response, fail))
  if (type !== 'application/json') return printContent(io, response, type)
  const value: unknown = await response.json().catch(fail)
  io.printJson(value)
  return value
}

/** The error of a status outside 2xx, whose body is not printed. */
export const failureOf = async (response: Response): Promise<ApiFailure> => {
  const { status, headers } = response
  const { detail } = (parseJson(await response.text()) ?? {}) as { detail?: unknown }
  return new ApiFailure(status, detail, headers.get('x-request-id'))
}

const printFailure = async (io: Io, response: Response, fail: Fail): Promise<CliError> => {
  const { status, headers } = response
  const text = await response.text().catch(fail)
  const body = parseJson(text)
  if (text) io.print(body === undefined ? stripControls(text) : indentedJson(body))
  const { detail } = (body ?? {}) as { detail?: unknown }
  const location = headers.get('location')
  return failure(status, detail ?? (location ? `Moved to ${location}` : body))
}

/** One line, because the body has the details. */
const failure = (status: number, detail: unknown): CliError =>
  new CliError(`${oneLine(describeFailure(status, detail)).replace(/\.$/, '')} (${status})`, '', {
    kind: status === 401 ? 'not_signed_in' : 'failed',
  })

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The status of an `error` event, which has none: the model or the server failed. */
const STREAM_FAILURE = 502

const printEvents = async (io: Io, events: AsyncIterable<unknown>): Promise<void> => {
  for await (const each of events) {
    await io.write(io.streamedJson([each]))
    const { event, data } = each as { event?: unknown; data?: { detail?: unknown } }
    if (event === 'error') throw failure(STREAM_FAILURE, data?.detail)
  }
}

const LINES_PER_WRITE = 500

const printLines = async (io: Io, lines: AsyncIterable<unknown>): Promise<void> => {
  let batch: unknown[] = []
  for await (const line of lines) {
    batch.push(line)
    if (batch.length < LINES_PER_WRITE) continue
    await io.write(io.streamedJson(batch))
    batch = []
  }
  await io.write(io.streamedJson(batch))
}

const printContent = async (io: Io, response: Response, type: string): Promise<void> => {
  if (!io.stdoutIsTerminal) {
    for await (const chunk of response.body ?? []) await io.write(chunk)
  } else if (type.startsWith('text/')) {
    io.print(stripControls(await response.text()).trimEnd())
  } else if (type) {
    await response.body?.cancel()
    throw usageError(`The response is binary (${oneLine(type)}).`, 'Redirect it: > file')
  }
}
