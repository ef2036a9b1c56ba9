import type { Client } from '../../shared/client.ts'
import {
  deleteMemory,
  getMemory,
  recall,
  remember,
  rememberBatch,
  updateMemory,
} from '../../shared/contract/index.ts'
import { type Account, HOME, signal } from './account.ts'
import type { Outcomes } from './outcomes.ts'

const CITIES = ['Lisbon', 'Vienna', 'Oslo', 'Madrid', 'Dublin', 'Prague', 'Athens', 'Warsaw']
const BATCH = 5
/** A reflex fires 60 times an hour at most. */
const MAX_SIGNALS = 55

interface Session {
  account: Account
  random: () => number
  /** The number of the request, unique for the account. */
  number: number
  client: Client
}

/** A request, and how it enters the history when it had no answer. */
interface Operation {
  send(): Promise<void>
  unanswered?(): void
}

const noteOf = (number: number): string => `Note ${number}: the gauge read ${number * 7} bar`

const registerOf = (content: string): number => Number(content.replace('Round ', ''))

const choose = <T>(values: readonly T[], random: () => number): T | undefined =>
  values[Math.floor(random() * values.length)]

const writeNote = ({ account: { history }, client, number }: Session): Operation => ({
  async send() {
    const content = noteOf(number)
    const { memory_id } = await client.call(remember, { body: { content } })
    history.notes.set(content, memory_id)
    const read = await client.call(getMemory, { params: { memory_id } })
    if (read.content_text !== content) history.violations.push(`${content} was read otherwise`)
  },
})

const writeBatch = ({ account: { history }, client, number }: Session): Operation => {
  const contents = Array.from({ length: BATCH }, (_, index) => `${noteOf(number)}, part ${index}`)
  return {
    async send() {
      const body = { memories: contents.map((content) => ({ content })) }
      const { memories } = await client.call(rememberBatch, { body })
      for (const { content_text, memory_id } of memories) history.notes.set(content_text, memory_id)
    },
    unanswered: () => void history.openBatches.push(contents),
  }
}

const writeRegister = ({ account, client, number }: Session): Operation => ({
  async send() {
    const params = { memory_id: account.registerId }
    await client.call(updateMemory, { params, body: { content: `Round ${number}` } })
    account.history.register = number
  },
  unanswered: () => void account.history.perhapsRegistered.add(number),
})

const readRegister = ({ account: { history, registerId }, client }: Session): Operation => ({
  async send() {
    const expected = history.register
    const { content_text } = await client.call(getMemory, { params: { memory_id: registerId } })
    const found = registerOf(content_text)
    if (found !== expected && !history.perhapsRegistered.has(found))
      history.violations.push(`the register was ${found} after ${expected} was acknowledged`)
  },
})

const removeNote = ({ account: { history }, client, random }: Session): Operation => {
  const [content, memory_id] = choose([...history.notes], random) ?? []
  return {
    async send() {
      if (!content || !memory_id) return
      history.notes.delete(content)
      await client.call(deleteMemory, { params: { memory_id } })
      history.deleted.add(content)
    },
    unanswered: () => content && history.perhapsDeleted.add(content),
  }
}

const move = ({ client, number, random }: Session): Operation => ({
  async send() {
    const content = `I live in ${choose(CITIES, random)}.`
    // The same content in another thread is another memory.
    await client.call(remember, { body: { content, tags: [HOME], thread: `move ${number}` } })
  },
})

const sendSignal = ({ account: { history, deviceId }, client, number }: Session): Operation => ({
  async send() {
    if (history.sentSignals >= MAX_SIGNALS) return
    history.sentSignals++
    await signal(client, deviceId, number)
    history.signals.add(number)
  },
})

const search = ({ account: { history }, client, number }: Session): Operation => ({
  async send() {
    const deleted = new Set(history.deleted)
    const { memories } = await client.call(recall, { body: { query: `gauge read ${number} bar` } })
    for (const { content_text } of memories)
      if (deleted.has(content_text)) history.violations.push(`${content_text} was deleted`)
  },
})

const OPERATIONS: readonly { weight: number; operation: (session: Session) => Operation }[] = [
  { weight: 40, operation: writeNote },
  { weight: 10, operation: writeBatch },
  { weight: 15, operation: writeRegister },
  { weight: 10, operation: readRegister },
  { weight: 5, operation: removeNote },
  { weight: 5, operation: move },
  { weight: 5, operation: sendSignal },
  { weight: 10, operation: search },
]

const WEIGHTED = OPERATIONS.flatMap(({ weight, operation }) =>
  Array.from({ length: weight }, () => operation),
)

/**
 * Sends requests of an account, one at a time, to a random web process, and records what was acknowledged.
 * @returns a function that stops after the current request.
 */
export const startRequests = (
  account: Account,
  outcomes: Outcomes,
  { random, pauseMs }: { random: () => number; pauseMs: number },
) => {
  let isStopped = false
  const run = async () => {
    for (let number = 1; !isStopped; number++) {
      const { client, node } = choose(account.clients, random) ?? { node: '' }
      const chosen = choose(WEIGHTED, random)
      if (!client || !chosen) throw new Error('nothing to send')
      const operation = chosen({ account, random, number, client })
      try {
        await operation.send()
        outcomes.answered(node)
      } catch (error) {
        if (!outcomes.failed(chosen.name, error))
          account.history.violations.push(`${chosen.name} ${number}: ${error}`)
        operation.unanswered?.()
      }
      await Bun.sleep(pauseMs)
    }
  }
  const running = run()
  return async () => {
    isStopped = true
    await running
  }
}
