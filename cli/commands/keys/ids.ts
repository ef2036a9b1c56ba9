import type { Client } from '../../../shared/client.ts'
import { listKeys } from '../../../shared/contract/keys.ts'
import type { IdList } from '../../short-id.ts'

/** The API keys whose ids commands take. @param client has a session. */
export const keyIds = (client: Client): IdList => ({
  noun: 'API key',
  command: 'svc keys list',
  async find() {
    const keys = await client.call(listKeys)
    return keys.map(({ id, name, key_prefix }) => ({ id, label: `${name} (${key_prefix}…)` }))
  },
})
