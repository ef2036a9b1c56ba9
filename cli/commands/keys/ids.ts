import { type ApiKey, listKeys } from '../../../shared/contract/keys.ts'
import type { Kind } from '../../find.ts'

/** The name of a key with its public prefix, as in `svc keys list`. */
export const titleOf = ({ name, key_prefix }: ApiKey): string => `${name} (${key_prefix}…)`

/** The API keys of the user. The client needs a session. */
export const keys: Kind<ApiKey> = {
  noun: 'Key',
  command: 'svc keys list',
  all: (client) => client.call(listKeys),
  id: ({ id }) => id,
  names: (key) => [titleOf(key), key.name],
}
