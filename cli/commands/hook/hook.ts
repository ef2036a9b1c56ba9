import { formatAnswer } from '../../assistants/answer.ts'
import { readEvent } from '../../assistants/capture.ts'
import { isAssistantName } from '../../assistants/clients.ts'
import { readEnvironment } from '../../config.ts'
import type { Runtime } from '../../runtime.ts'
import { handleEvent } from './event.ts'

/** The assistant gets its answer within a second of the start, which takes a part of it. */
const ANSWER_TIMEOUT_MS = 900

/**
 * Handles an event of an assistant: reads its JSON from stdin and writes the answer in the form of the
 * assistant to stdout. An assistant must never work worse because of svc, so this never throws and writes
 * nothing else.
 * @param args the name of the assistant, and the event for one whose input does not name it.
 */
export const runHook = async (
  runtime: Runtime,
  args: readonly string[],
  options: { profile?: string; url?: string } = {},
): Promise<void> => {
  const timeout = AbortSignal.timeout(ANSWER_TIMEOUT_MS)
  try {
    const [client = '', named] = args
    if (!isAssistantName(client)) return
    const input = parseJson(await runtime.stdin.bytes())
    const event = readEvent(client, input, named)
    if (!event) return
    await handleEvent({
      client,
      event,
      environment: withOptions(readEnvironment(runtime), options),
      now: runtime.clock.now,
      timeout,
      answer: (context) => write(runtime, formatAnswer(client, event, context)),
    })
  } catch {}
}

const withOptions = <T extends object>(
  environment: T,
  { profile, url }: { profile?: string; url?: string },
): T => ({
  ...environment,
  ...(profile !== undefined && { profile }),
  ...(url !== undefined && { url }),
})

/** Invalid UTF-8 becomes replacement characters. */
const parseJson = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return undefined
  }
}

/** Resolves when the text is written, or cannot be written. */
const write = ({ stdout }: Runtime, text: string): Promise<void> => {
  if (text === '') return Promise.resolve()
  return new Promise((resolve) => {
    stdout.on('error', () => resolve())
    stdout.write(text, () => resolve())
  })
}
