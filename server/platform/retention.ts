import type { Database } from './db/database.ts'
import type { JobKind, Jobs } from './jobs.ts'
import type { Log } from './log.ts'

/** Deletes rows of one kind that are past their retention period, or brings them up to date. */
export interface RetentionRule {
  /** Unique; named in the log when the rule fails. */
  name: string
  run(database: Database): Promise<void>
}

/** Declares a cleanup rule. It must also be in the list that `startRetention` gets. */
export const defineRetention = (rule: RetentionRule): RetentionRule => rule

const HOURLY = '17 * * * *'

/** Runs every rule each hour on one of the servers, and once after each start. */
export const startRetention = async (
  database: Database,
  jobs: Pick<Jobs, 'repeat' | 'send'>,
  log: Log,
  rules: readonly RetentionRule[],
): Promise<void> => {
  const kind: JobKind<object> = {
    name: 'retention',
    retries: 2,
    keyOf: () => 'all',
    async run() {
      const failed: string[] = []
      for (const { name, run } of rules)
        await run({ ...database, ...database.background }).catch((error: unknown) => {
          failed.push(name)
          log.warn({ error, rule: name }, 'a retention rule failed')
        })
      if (failed.length) throw new Error(`Retention rules failed: ${failed.join(', ')}`)
    },
  }
  jobs.repeat(kind, {}, HOURLY)
  // Servers that never run at minute 17 must delete old rows too.
  await jobs.send(kind, {})
}
