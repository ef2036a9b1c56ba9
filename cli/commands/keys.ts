import { type ApiKey, createKey, listKeys, revokeKey } from '../../shared/contract/keys.ts'
import { changeConfirmed } from '../confirmed.ts'
import type { Context } from '../context.ts'
import { definedFields } from '../defined.ts'
import { formatLastUse } from '../format.ts'
import { findItem, type Kind } from '../ids.ts'
import { printList } from '../list.ts'
import { resolveOrganizationId } from '../organization.ts'
import { oneLine } from '../output.ts'
import { sessionClient } from '../session.ts'

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

export const runKeysList = async (context: Context): Promise<void> =>
  printList(context, {
    items: await keys.all(await sessionClient(context)),
    id: keys.id,
    columns: {
      PREFIX: ({ key_prefix }) => key_prefix,
      CREATED: ({ created_at }) => created_at.slice(0, 10),
      'LAST USED': ({ last_used_at }) => formatLastUse(last_used_at),
      NAME: ({ name }) => name,
    },
    empty: 'No keys. To create one, run: svc keys create NAME',
  })

interface CreateKeyArgs {
  name: string
  expiresAt?: string
}

/** Creates an API key. Only the key goes to stdout, so that it can be piped into a file. */
export const runKeysCreate = async (context: Context, args: CreateKeyArgs): Promise<void> => {
  const client = await sessionClient(context)
  const key = await client.call(createKey, {
    body: {
      name: args.name,
      ...definedFields({
        expires_at: args.expiresAt,
        org_id: await resolveOrganizationId(context, client),
      }),
    },
  })
  if (context.json) context.io.printJson(key)
  else context.io.print(oneLine(key.key))
  const expiry = key.expires_at ? `, expires ${key.expires_at}` : ''
  context.io.info(
    `Created the key ${oneLine(key.name)} (ID ${key.id}${expiry}). It is shown only once.`,
  )
}

interface RevokeKeyArgs {
  id: string
  yes?: boolean
}

/** Revokes a key after confirmation. */
export const runKeysRevoke = (context: Context, { id: typed, yes }: RevokeKeyArgs): Promise<void> =>
  changeConfirmed(context, {
    yes,
    words: ['keys', 'revoke', typed],
    async find() {
      const client = await sessionClient(context)
      return { client, key: await findItem(client, keys, typed) }
    },
    question: ({ key }) => `Revoke the key ${oneLine(titleOf(key))}?`,
    change: ({ client, key }) => client.call(revokeKey, { params: { key_id: key.id } }),
    response: ({ key: { id, name } }) => ({ id, name, revoked: true }),
    done: ({ key }) => `Revoked the key ${oneLine(titleOf(key))}.`,
  })
