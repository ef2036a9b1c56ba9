import type { Client } from '../../shared/client.ts'
import type { Firing } from '../../shared/contract/firings.ts'
import {
  getMemory,
  listAnchors,
  listFirings,
  memoryStatistics,
} from '../../shared/contract/index.ts'
import { allMemories } from '../harness/memories.ts'
import { type Account, HOME } from './account.ts'
import { deliveryKey, type Webhooks } from './webhooks.ts'

const POLL_MS = 250
const QUIET_MS = 180_000

const clientOf = ({ clients }: Account): Client => {
  const [first] = clients
  if (!first) throw new Error('an account without clients')
  return first.client
}

const firingsOf = async (account: Account): Promise<Firing[]> => {
  const params = { reflex_id: account.reflexId }
  return await clientOf(account).call(listFirings, { params, query: { limit: 100 } })
}

const isQuiet = async (account: Account): Promise<boolean> => {
  const { engines } = await clientOf(account).call(memoryStatistics)
  const firings = await firingsOf(account)
  return (
    engines.every(({ pending }) => pending === 0) &&
    firings.every(({ state }) => state !== 'pending')
  )
}

/** Waits until the engines have read every memory and every firing has run. */
const untilQuiet = async (account: Account): Promise<void> => {
  const deadline = Date.now() + QUIET_MS
  while (Date.now() < deadline) {
    if (await isQuiet(account).catch(() => false)) return
    await Bun.sleep(POLL_MS)
  }
  account.history.violations.push('the engines or the firings did not finish')
}

/** Compares what is stored with what was acknowledged. All processes are healthy. */
export const check = async (account: Account, webhooks: Webhooks): Promise<void> => {
  await untilQuiet(account)
  const memories = await allMemories(clientOf(account))
  checkNotes(
    account,
    memories.map(({ content_text }) => content_text),
  )
  await checkRegister(account)
  await checkHome(
    account,
    memories.filter(({ tags }) => tags.includes(HOME)),
  )
  await checkSignals(account, webhooks)
}

const checkNotes = ({ history }: Account, contents: string[]): void => {
  const { violations } = history
  const stored = new Set(contents)
  for (const content of history.notes.keys())
    if (!stored.has(content) && !history.perhapsDeleted.has(content))
      violations.push(`${content} was acknowledged and is lost`)
  for (const content of history.deleted)
    if (stored.has(content)) violations.push(`${content} was deleted and is there`)
  for (const batch of history.openBatches) {
    const found = batch.filter((content) => stored.has(content)).length
    // A note of a batch without an answer cannot have been deleted: its id is not known.
    if (found !== 0 && found !== batch.length)
      violations.push(`${found} of ${batch.length} memories of a batch are there`)
  }
  const notes = contents.filter((content) => content.startsWith('Note '))
  if (new Set(notes).size !== notes.length) violations.push('a note is there twice')
}

const checkRegister = async (account: Account): Promise<void> => {
  const { history, registerId } = account
  const params = { memory_id: registerId }
  const { content_text } = await clientOf(account).call(getMemory, { params })
  const found = Number(content_text.replace('Round ', ''))
  if (found !== history.register && !history.perhapsRegistered.has(found))
    history.violations.push(
      `the register ended at ${found} after ${history.register} was acknowledged`,
    )
}

interface Home {
  memory_id: string
  content_text: string
  created_at: string
}

const checkHome = async (account: Account, homes: Home[]): Promise<void> => {
  const [latest] = homes.toSorted((a, b) => b.created_at.localeCompare(a.created_at))
  if (!latest) return
  const { anchors } = await clientOf(account).call(listAnchors)
  const home = anchors.find(({ anchor_key }) => anchor_key === 'home')
  if (!home || !latest.content_text.includes(home.value))
    account.history.violations.push(
      `home is ${home?.value} although the latest memory is "${latest.content_text}"`,
    )
}

const checkSignals = async (account: Account, { deliveries }: Webhooks): Promise<void> => {
  const { history, reflexId } = account
  const firings = await firingsOf(account)
  const signalOf = ({ event }: Firing) => ('value' in event ? event.value : undefined)
  for (const value of history.signals) {
    const count = firings.filter((firing) => signalOf(firing) === value).length
    if (count !== 1) history.violations.push(`signal ${value} fired ${count} times`)
    const ids = new Set(deliveries.get(deliveryKey(reflexId, value)))
    if (ids.size !== 1) history.violations.push(`signal ${value} has ${ids.size} webhooks`)
  }
  const values = firings.map(signalOf)
  if (new Set(values).size !== values.length) history.violations.push('a signal fired twice')
}
