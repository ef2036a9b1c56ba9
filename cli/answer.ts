import type { EventOf, StreamError } from '../shared/contract/endpoint.ts'
import { failureText } from '../shared/failure-text.ts'
import type { chatEvents } from '../shared/schemas/chat.ts'
import type { talkEvents } from '../shared/schemas/talk.ts'
import type { Context } from './context.ts'
import { CliError } from './errors.ts'
import { interruptible } from './interrupt.ts'
import { type Io, jsonLine, oneLine, safe } from './output.ts'

type ErrorEvent = { error: typeof StreamError }
export type ChatEvent = EventOf<typeof chatEvents & ErrorEvent>
export type TalkEvent = EventOf<typeof talkEvents & ErrorEvent>

/** What a stream began with: of a chat or of a talk. */
export type Begun = Extract<ChatEvent | TalkEvent, { event: 'start' }>['data']

export interface Answered {
  begun: Begun | undefined
  /** How many memories were recalled for it. */
  recalled: number
}

/** A model may think for long before it says a word. */
export const ANSWER_TIMEOUT_MS = 600_000

/**
 * Shows an answer while it is given: its text on stdout, or with `--json` each event in a line.
 * Ctrl-C ends the request, and with it the model's work. What was said until then stays.
 * @param ask begins the request; the signal ends it.
 * @throws Interrupted, or what the server says went wrong.
 */
export const showAnswer = (
  { io, json }: Context,
  ask: (signal: AbortSignal) => Promise<AsyncIterable<ChatEvent> | AsyncIterable<TalkEvent>>,
): Promise<Answered> =>
  interruptible(async (signal) => {
    const printer = createPrinter(io)
    const answered: Answered = { begun: undefined, recalled: 0 }
    let isDone = false
    io.wait('Thinking …')
    try {
      for await (const event of await ask(signal)) {
        if (json) await io.write(`${jsonLine(event)}\n`)
        else await show(event, printer, io)
        if (event.event === 'start') answered.begun = event.data
        if (event.event === 'memories') answered.recalled = event.data.memories.length
        if (event.event === 'error') throw brokenOff(failureText(502, event.data.detail))
        isDone ||= event.event === 'done'
      }
      if (!isDone) throw brokenOff('the server ended it')
    } finally {
      io.clear()
      await printer.end()
    }
    return answered
  })

const show = async (event: ChatEvent | TalkEvent, printer: Printer, io: Io): Promise<void> => {
  if (event.event === 'delta') await printer.print(event.data.text)
  if (event.event !== 'tool') return
  const { name, state, input } = event.data
  await printer.end()
  if (state === 'running') io.wait(`${name} ${input === undefined ? '' : jsonLine(input)}`)
  if (state === 'proposed') io.note(`It would read ${oneLine(jsonLine(input))}`)
}

/** The answer had begun, so what else would be a status came as an event. */
const brokenOff = (reason: string) =>
  new CliError(`The answer broke off: ${oneLine(reason)}`, 'Run it again later, or run: svc doctor')

type Printer = ReturnType<typeof createPrinter>

/** Puts pieces together; what comes after begins in a line of its own. */
const createPrinter = (io: Io) => {
  let isLineOpen = false
  return {
    async print(text: string) {
      const shown = safe(text)
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

/** What is worth knowing of an answer, in a line for stderr. */
export const aboutAnswer = ({ begun, recalled }: Answered): string =>
  [
    begun && (begun.model ? `${begun.model} (${begun.provider})` : begun.provider),
    recalled > 0 && `${recalled} ${recalled === 1 ? 'memory' : 'memories'} recalled`,
  ]
    .filter(Boolean)
    .map((part) => oneLine(String(part)))
    .join(' · ')
