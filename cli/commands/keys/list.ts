import { listKeys } from '../../../shared/contract/keys.ts'
import type { Context } from '../../context.ts'
import { oneLine, table } from '../../output.ts'
import { withSession } from '../../session.ts'

const header = ['ID', 'NAME', 'PREFIX', 'CREATED', 'LAST USED']

export const list = async (context: Context): Promise<void> => {
  const client = await withSession(context)
  const keys = await client.call(listKeys)
  if (context.json) return context.io.printJson(keys)
  const rows = keys.map((key) => [
    key.id,
    key.name,
    key.key_prefix,
    minute(key.created_at),
    key.last_used_at ? minute(key.last_used_at) : 'never',
  ])
  context.io.print(table([header, ...rows.map((row) => row.map(oneLine))]))
}

/** `2026-01-31T09:30:00.000Z` to the minute. */
const minute = (timestamp: string) => `${timestamp.slice(0, 16)}Z`
