import {
  listPasskeys,
  type Passkey,
  removePasskey,
  renamePasskey,
} from '../../shared/contract/passkeys.ts'
import { changeConfirmed } from '../confirmed.ts'
import type { Context } from '../context.ts'
import { formatLastUse } from '../format.ts'
import { findItem, type Kind } from '../ids.ts'
import { printList } from '../list.ts'
import { oneLine } from '../output.ts'
import { sessionClient } from '../session.ts'

/** The passkeys of the user. The client needs a session. */
const passkeys: Kind<Passkey> = {
  noun: 'Passkey',
  command: 'svc passkeys list',
  all: (client) => client.call(listPasskeys),
  id: ({ id }) => id,
  names: ({ name }) => [name],
}

export const runPasskeysList = async (context: Context): Promise<void> =>
  printList(context, {
    items: await passkeys.all(await sessionClient(context)),
    id: passkeys.id,
    columns: {
      ADDED: ({ created_at }) => created_at.slice(0, 10),
      'LAST USED': ({ last_used_at }) => formatLastUse(last_used_at),
      SYNCED: ({ is_synced }) => (is_synced ? 'yes' : 'no'),
      NAME: ({ name }) => name,
    },
    empty: 'No passkeys. To add one, run: svc open settings',
  })

export const runPasskeysRename = async (
  context: Context,
  { id: typed, name }: { id: string; name: string },
): Promise<void> => {
  const client = await sessionClient(context)
  const { id } = await findItem(client, passkeys, typed)
  const passkey = await client.call(renamePasskey, { params: { passkey_id: id }, body: { name } })
  if (context.json) context.io.printJson(passkey)
  else context.io.info(`Renamed the passkey to ${oneLine(passkey.name)}.`)
}

/** Removes a passkey after confirmation. */
export const runPasskeysRemove = (
  context: Context,
  { id: typed, yes }: { id: string; yes?: boolean },
): Promise<void> =>
  changeConfirmed(context, {
    yes,
    words: ['passkeys', 'remove', typed],
    async find() {
      const client = await sessionClient(context)
      return { client, passkey: await findItem(client, passkeys, typed) }
    },
    question: ({ passkey }) => `Remove the passkey ${oneLine(passkey.name)}?`,
    change: ({ client, passkey }) =>
      client.call(removePasskey, { params: { passkey_id: passkey.id } }),
    response: ({ passkey: { id, name } }) => ({ id, name, removed: true }),
    done: ({ passkey }) => `Removed the passkey ${oneLine(passkey.name)}.`,
  })
