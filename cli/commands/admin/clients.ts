import { APP_SCOPES } from '../../../shared/contract/app-scopes.ts'
import {
  createManagedClient,
  deleteManagedClient,
  listManagedClients,
  type ManagedClient,
  rotateClientSecret,
  updateManagedClient,
} from '../../../shared/contract/oauth-clients.ts'
import { knownIn } from '../../comma-list.ts'
import { changeConfirmed } from '../../confirmed.ts'
import { type Context, signedInClient } from '../../context.ts'
import { definedFields } from '../../defined.ts'
import { usageError } from '../../errors.ts'
import { formatLastUse } from '../../format.ts'
import { findItem, type Kind } from '../../ids.ts'
import { printFields, printList } from '../../list.ts'
import { oneLine } from '../../output.ts'
import { accountClient } from '../../session.ts'

/** The apps that an admin registered. */
export const clients: Kind<ManagedClient> = {
  noun: 'App',
  command: 'svc admin clients list',
  all: (client) => client.call(listManagedClients),
  id: ({ client_id }) => client_id,
  names: ({ name }) => [name],
}

export const runAdminClientsList = async (context: Context): Promise<void> =>
  printList(context, {
    items: await clients.all(signedInClient(context)),
    id: clients.id,
    columns: {
      'LAST SIGN-IN': ({ last_used_at }) => formatLastUse(last_used_at),
      SECRET: ({ confidential }) => (confidential ? 'yes' : 'no'),
      CONSENT: ({ skips_consent }) => (skips_consent ? 'skipped' : 'asked'),
      SCOPES: ({ scopes }) => scopes.join(' '),
      NAME: ({ name }) => name,
    },
    minor: ['SECRET'],
    empty:
      'No apps. To register one, run: svc admin clients create NAME --redirect-uri https://app.example.com/callback',
  })

interface ClientArgs {
  redirectUri?: string[]
  logoutRedirectUri?: string[]
  backchannelLogoutUri?: string
  scopes?: string
  skipConsent?: boolean
}

const NONE = 'none'

const fieldsOf = ({ scopes, skipConsent, ...uris }: ClientArgs) => {
  const { redirectUri, logoutRedirectUri, backchannelLogoutUri } = uris
  return definedFields({
    redirect_uris: redirectUri,
    post_logout_redirect_uris: logoutRedirectUri?.filter((uri) => uri !== NONE),
    backchannel_logout_uri: backchannelLogoutUri === NONE ? null : backchannelLogoutUri,
    scopes: scopes === undefined ? undefined : knownIn(scopes, APP_SCOPES, 'scope'),
    skips_consent: skipConsent,
  })
}

interface CreateArgs extends ClientArgs {
  name: string
  redirectUri: string[]
  public?: boolean
}

/** Registers an app. Only its ID and its secret go to stdout. */
export const runAdminClientsCreate = async (context: Context, args: CreateArgs): Promise<void> => {
  const { name, redirectUri, public: isPublic = false } = args
  const created = await accountClient(context).call(createManagedClient, {
    body: { ...fieldsOf(args), name, redirect_uris: redirectUri, confidential: !isPublic },
  })
  const { client_id, client_secret } = created
  printFields(context, created, { client_id, client_secret })
  const once = client_secret === undefined ? '' : ' Its secret is shown only once.'
  context.io.info(`Registered the app ${oneLine(created.name)}.${once}`)
}

interface EditArgs extends ClientArgs {
  client: string
  name?: string
  askConsent?: boolean
}

export const runAdminClientsEdit = async (
  context: Context,
  { client: typed, name, askConsent, ...fields }: EditArgs,
): Promise<void> => {
  const skipConsent = askConsent ? false : fields.skipConsent
  const body = {
    ...definedFields({ name }),
    ...fieldsOf({ ...fields, ...(skipConsent !== undefined && { skipConsent }) }),
  }
  if (!Object.keys(body).length)
    throw usageError(
      'Nothing to change.',
      'Add --name, --redirect-uri, --logout-redirect-uri, --backchannel-logout-uri, --scopes, --skip-consent or --ask-consent.',
    )
  const client = accountClient(context)
  const { client_id } = await findItem(client, clients, typed)
  const changed = await client.call(updateManagedClient, { params: { client_id }, body })
  if (context.json) context.io.printJson(changed)
  context.io.info(`Changed the app ${oneLine(changed.name)}.`)
}

interface NamedArgs {
  client: string
  yes?: boolean
}

const findClient = async (context: Context, typed: string) => {
  const client = accountClient(context)
  return { client, app: await findItem(client, clients, typed) }
}

/** Replaces the secret. Only the new one goes to stdout, so that it can be piped into a file. */
export const runAdminClientsRotate = async (
  context: Context,
  { client: typed, yes }: NamedArgs,
): Promise<void> => {
  let client_secret = ''
  await changeConfirmed(context, {
    yes,
    words: ['admin', 'clients', 'rotate', typed],
    find: () => findClient(context, typed),
    question: ({ app }) =>
      `Replace the secret of ${oneLine(app.name)}? The app cannot sign users in until it has the new one.`,
    async change({ client, app: { client_id } }) {
      const rotated = await client.call(rotateClientSecret, { params: { client_id } })
      client_secret = rotated.client_secret
      if (!context.json) context.io.print(oneLine(client_secret))
    },
    response: ({ app: { client_id, name } }) => ({ client_id, name, client_secret }),
    done: ({ app }) =>
      `Replaced the secret of ${oneLine(app.name)}. The new one is shown only once.`,
  })
}

export const runAdminClientsDelete = (
  context: Context,
  { client: typed, yes }: NamedArgs,
): Promise<void> =>
  changeConfirmed(context, {
    yes,
    words: ['admin', 'clients', 'delete', typed],
    find: () => findClient(context, typed),
    question: ({ app }) =>
      `Delete the app ${oneLine(app.name)}, and end the access that users gave it?`,
    change: ({ client, app: { client_id } }) =>
      client.call(deleteManagedClient, { params: { client_id } }),
    response: ({ app }) => ({ ...app, deleted: true }),
    done: ({ app }) => `Deleted the app ${oneLine(app.name)}.`,
  })
