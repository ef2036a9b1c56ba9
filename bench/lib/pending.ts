import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '../../server/platform/db/database.ts'
import { listEngines, verifyEmail } from '../../shared/contract/index.ts'
import type { Account } from './server.ts'

const POLL_MS = 250
/** An email is written within milliseconds. */
const OUTBOX_POLL_MS = 20
const TIMEOUT_MS = 15 * 60_000

/** Verifies an account's email address with the link from the outbox in the data directory. */
export const verify = async ({ email, client }: Account, dataDir: string): Promise<void> => {
  for (;;) {
    const token = tokenFor(email, join(dataDir, 'outbox'))
    if (token) {
      await client.call(verifyEmail, { body: { token } })
      return
    }
    await Bun.sleep(OUTBOX_POLL_MS)
  }
}

const tokenFor = (email: string, outbox: string): string | undefined => {
  // A draft has another ending until it is complete.
  for (const name of readdirSync(outbox).filter((each) => each.endsWith('.eml'))) {
    const text = readFileSync(join(outbox, name), 'utf8').replaceAll('=\r\n', '')
    if (!text.includes(email)) continue
    const token = /\/verify\?token=(?:3D)?([\w-]+)/.exec(text)?.[1]
    if (token) return token
  }
  return undefined
}

/** Waits until no memory is pending for an engine. @returns the duration in seconds. */
export const untilEnginesAreDone = async ({ client }: Account): Promise<number> => {
  const start = performance.now()
  for (;;) {
    const { engines } = await client.call(listEngines)
    const seconds = (performance.now() - start) / 1000
    if (engines.every(({ pending }) => pending === 0)) return seconds
    if (seconds * 1000 > TIMEOUT_MS) throw new Error('The engines did not finish within 15 minutes')
    await Bun.sleep(POLL_MS)
  }
}

/** Waits until no memory of any owner is pending for an engine. */
export const untilNoTasks = async ({ query }: Pick<Database, 'query'>): Promise<void> => {
  for (;;) {
    const [task] = await query('select from memory_tasks limit 1', [])
    if (!task) return
    await Bun.sleep(POLL_MS)
  }
}
