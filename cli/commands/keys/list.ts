import { listKeys } from '../../../shared/contract/keys.ts'
import type { Context } from '../../context.ts'
import { oneLine } from '../../output.ts'
import { sessionClient } from '../../session.ts'
import { idColumn } from '../../short-id.ts'
import { formatMinute } from '../../time.ts'

const header = ['ID', 'PREFIX', 'CREATED', 'LAST USED', 'NAME']

export const runKeysList = async (context: Context): Promise<void> => {
  const client = await sessionClient(context)
  const keys = await client.call(listKeys)
  if (context.json) return context.io.printJson(keys)
  const short = await idColumn(context.io, () => keys.map(({ id }) => id))
  const rows = keys.map((key) => [
    short(key.id),
    key.key_prefix,
    key.created_at.slice(0, 10),
    key.last_used_at ? formatMinute(key.last_used_at) : 'never',
    key.name,
  ])
  await context.io.printTable([header, ...rows.map((row) => row.map(oneLine))], 3)
}
