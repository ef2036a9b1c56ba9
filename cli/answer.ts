import type { ChatEvent } from '../shared/contract/chat.ts'
import type { TalkEvent } from '../shared/contract/talk.ts'
import { describeFailure } from '../shared/failure.ts'
import type { Context } from './context.ts'
import { CliError } from './errors.ts'
import { formatMemoryCount } from './format.ts'
import { runInterruptible } from './interrupt.ts'
import { type Io, jsonLine, oneLine, stripControls } from './output.ts'

/** The data of the `start` event of a chat or talk. */
type AnswerStart = Extract<ChatEvent | TalkEvent, { event: 'start' }>['data']

interface ShownAnswer {
  start: AnswerStart | undefined
  /** Number of memories recalled for the answer. */
  recalled: number
}

/** A model may take minutes before its first token. */
export const ANSWER_TIMEOUT_MS = 600_000

/**
 * Streams an answer to stdout: its text, or with `--json` one event per line. Ctrl-C aborts the
 * request and stops the model.
 * @param ask starts the request.
 * @throws Interrupted, or CliError with the error of the server.
 */
export const showAnswer = (
  { io, json }: Context,
  ask: (signal: AbortSignal) => Promise<AsyncIterable<ChatEvent> | AsyncIterable<TalkEvent>>,
): Promise<ShownAnswer> =>
  runInterruptible(io, async (signal) => {
    const printer = createPrinter(io)
    const answer: ShownAnswer = { start: undefined, recalled: 0 }
    let isDone = false
    io.spin('Waiting for the answer …')
    try {
      for await (const event of await ask(signal)) {
        if (json) await io.write(io.streamedJson([event]))
        else await show(event, printer, io)
        if (event.event === 'start') answer.start = event.data
        if (event.event === 'memories') answer.recalled = event.data.memories.length
        if (event.event === 'error')
          throw interruptedAnswer(describeFailure(502, event.data.detail))
        isDone ||= event.event === 'done'
      }
      if (!isDone) throw interruptedAnswer('the server closed the stream')
    } finally {
      io.clear()
      await printer.end()
    }
    return answer
  })

const show = async (event: ChatEvent | TalkEvent, printer: Printer, io: Io): Promise<void> => {
  if (event.event === 'delta') await printer.print(event.data.text)
  if (event.event !== 'tool') return
  const { name, state, input } = event.data
  await printer.end()
  if (state === 'running') io.spin(`${name} ${input === undefined ? '' : jsonLine(input)}`)
  if (state === 'proposed') io.info(`Proposed tool call: ${oneLine(jsonLine(input))}`)
}

const interruptedAnswer = (reason: string) =>
  new CliError(
    `The answer was interrupted: ${oneLine(reason)}`,
    'Try again later, or run: svc doctor',
  )

type Printer = ReturnType<typeof createPrinter>

/** Joins the parts of an answer. `end` starts a new line if the last part did not. */
const createPrinter = (io: Io) => {
  let isLineOpen = false
  return {
    async print(text: string) {
      const shown = stripControls(text)
      if (shown === '') return
      isLineOpen = !shown.endsWith('\n')
      await io.write(shown)
    },
    async end() {
      if (isLineOpen) await io.write('\n')
      isLineOpen = false
    },
  }
}

/** The model and the number of recalled memories, in one line. */
export const summarizeAnswer = ({ start, recalled }: ShownAnswer): string =>
  [
    start && (start.model ? `${start.model} (${start.provider})` : start.provider),
    recalled > 0 && `${formatMemoryCount(recalled)} recalled`,
  ]
    .filter(Boolean)
    .map((part) => oneLine(String(part)))
    .join(' · ')
