import {
  type ApiKey,
  createKey,
  delegateKey,
  listKeys,
  revokeKey,
  updateKey,
} from '../../shared/contract/keys.ts'
import { SCOPES, type Scope } from '../../shared/contract/scopes.ts'
import { knownIn, listIn } from '../comma-list.ts'
import { changeConfirmed } from '../confirmed.ts'
import { type Context, signedInClient } from '../context.ts'
import { definedFields } from '../defined.ts'
import { parseDuration } from '../duration.ts'
import { usageError } from '../errors.ts'
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
      MAY: limitsOf,
      NAME: ({ name }) => name,
    },
    minor: ['PREFIX', 'CREATED'],
    empty: 'No keys. To create one, run: svc keys create NAME',
  })

const limitsOf = ({ scopes, paused, allowed_addresses }: ApiKey): string =>
  [
    scopes ? scopes.join(' ') || 'nothing' : 'everything',
    ...(allowed_addresses ? [`from ${allowed_addresses.join(' ')}`] : []),
    ...(paused ? ['(paused)'] : []),
  ].join(' ')

interface CreateKeyArgs {
  name: string
  expiresAt?: string
  scopes?: string
  allow?: string
  forAgent?: boolean
  ttl?: string
}

const SECOND_MS = 1_000
const DEFAULT_TTL = '1h'

/** Creates an API key. Only the key goes to stdout, so that it can be piped into a file. */
export const runKeysCreate = async (context: Context, args: CreateKeyArgs): Promise<void> => {
  const scopes = args.scopes === undefined ? undefined : knownIn(args.scopes, SCOPES, 'scope')
  const key = await (args.forAgent
    ? createForAgent(context, args, scopes)
    : createOwn(context, args, scopes))
  if (context.json) context.io.printJson(key)
  else context.io.print(oneLine(key.key))
  const expiry = key.expires_at ? `, expires ${key.expires_at}` : ''
  context.io.info(
    `Created the key ${oneLine(key.name)} (ID ${key.id}${expiry}). It is shown only once.`,
  )
}

const createOwn = async (context: Context, args: CreateKeyArgs, scopes: Scope[] | undefined) => {
  const client = await sessionClient(context)
  return client.call(createKey, {
    body: {
      name: args.name,
      ...definedFields({
        expires_at: args.expiresAt,
        org_id: await resolveOrganizationId(context.org, () => client),
        scopes,
        allowed_addresses: args.allow === undefined ? undefined : listIn(args.allow),
      }),
    },
  })
}

/** With the key of this machine, not its session: an agent can run it, and gets no more than it has. */
const createForAgent = async (
  context: Context,
  { name, ttl = DEFAULT_TTL }: CreateKeyArgs,
  scopes: Scope[] | undefined,
) => {
  const ttlMs = parseDuration(ttl, 'svc keys create helper --for-agent --ttl 1h')
  return signedInClient(context).call(delegateKey, {
    body: { name, ttl_seconds: ttlMs / SECOND_MS, ...definedFields({ scopes }) },
  })
}

interface EditKeyArgs {
  id: string
  name?: string
  scopes?: string
  allow?: string
  pause?: boolean
  resume?: boolean
}

const ALL = 'all'

/** Renames, limits, pauses or resumes a key, and with it those that it created. */
export const runKeysEdit = async (context: Context, args: EditKeyArgs): Promise<void> => {
  const { id: typed, name, scopes, allow, pause, resume } = args
  const body = definedFields({
    name,
    scopes:
      scopes === undefined ? undefined : scopes === ALL ? null : knownIn(scopes, SCOPES, 'scope'),
    allowed_addresses: allow === undefined ? undefined : allow === ALL ? null : listIn(allow),
    paused: pause ? true : resume ? false : undefined,
  })
  if (!Object.keys(body).length)
    throw usageError('Nothing to change.', 'Add --name, --scopes, --allow, --pause or --resume.')
  const client = await sessionClient(context)
  const { id } = await findItem(client, keys, typed)
  const key = await client.call(updateKey, { params: { key_id: id }, body })
  if (context.json) context.io.printJson(key)
  else context.io.print(`The key ${oneLine(titleOf(key))} may do: ${limitsOf(key)}.`)
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
