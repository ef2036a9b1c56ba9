import type { Input } from '../../../shared/contract/common.ts'
import {
  type CreateReflex,
  createReflex,
  deleteReflex,
  listFirings,
  listReflexes,
  type Reflex,
  updateReflex,
} from '../../../shared/contract/reflexes.ts'
import { withHint } from '../../api-errors.ts'
import { changeConfirmed } from '../../confirmed.ts'
import { type Context, signedInClient } from '../../context.ts'
import { definedFields } from '../../defined.ts'
import { formatLastUse, formatMinute } from '../../format.ts'
import { findItem, type Kind } from '../../ids.ts'
import { readJsonInput } from '../../input.ts'
import { printFields, printList, printNextPage } from '../../list.ts'
import { jsonLine, oneLine } from '../../output.ts'

export const reflexes: Kind<Reflex> = {
  noun: 'Reflex',
  command: 'svc reflexes list',
  all: (client) => client.call(listReflexes),
  id: ({ reflex_id }) => reflex_id,
  names: ({ name }) => [name],
}

const formatState = ({ enabled, skip_always, disabled_reason }: Reflex): string => {
  if (skip_always) return 'skipped'
  if (enabled) return 'enabled'
  return disabled_reason === null ? 'disabled' : 'stopped'
}

export const runReflexesList = async (context: Context): Promise<void> =>
  await printList(context, {
    items: await reflexes.all(signedInClient(context)),
    id: reflexes.id,
    columns: {
      STATE: formatState,
      WHEN: ({ trigger }) => trigger.type,
      DOES: ({ action }) => action.type,
      'LAST FIRED': ({ last_fired_at }) => formatLastUse(last_fired_at),
      NAME: ({ name }) => name,
    },
    empty: 'No reflexes. To create one, run: svc reflexes create FILE',
  })

const findReflex = (context: Context, typed: string): Promise<Reflex> =>
  findItem(signedInClient(context), reflexes, typed)

export const runReflexesShow = async (context: Context, { reflex: typed }: { reflex: string }) => {
  const reflex = await findReflex(context, typed)
  printFields(context, reflex, {
    id: reflex.reflex_id,
    name: reflex.name,
    state: formatState(reflex),
    reason: reflex.disabled_reason,
    trigger: jsonLine(reflex.trigger),
    conditions: reflex.conditions.length ? jsonLine(reflex.conditions) : null,
    action: jsonLine(reflex.action),
    confirm: reflex.confirm ? 'each firing' : null,
    next: reflex.next_at,
    'last fired': reflex.last_fired_at,
    created: reflex.created_at,
  })
}

/** Creates a reflex from a JSON file with the fields of the API. */
export const runReflexesCreate = async (context: Context, { file }: { file: string }) => {
  const { io } = context
  const client = signedInClient(context)
  // The server validates the fields.
  const body = (await readJsonInput(file, io)) as Input<typeof CreateReflex>
  const reflex = await client
    .call(createReflex, { body })
    .catch(withHint([422], 'Correct the file. For an example, run: svc reflexes create --help'))
  if (context.json) return io.printJson(reflex)
  io.print(reflex.reflex_id)
  if (reflex.webhook_secret !== null)
    io.message(`Webhook secret, shown only once: ${reflex.webhook_secret}`)
}

const setEnabled = async (context: Context, typed: string, enabled: boolean): Promise<void> => {
  const { reflex_id, name } = await findReflex(context, typed)
  const reflex = await signedInClient(context).call(updateReflex, {
    params: { reflex_id },
    // A reflex that the user decided to skip does not run, even if it is enabled.
    body: { enabled, ...(enabled && { skip_always: false }) },
  })
  if (context.json) context.io.printJson(reflex)
  context.io.info(`${enabled ? 'Enabled' : 'Disabled'} ${oneLine(name)}.`)
}

export const runReflexesEnable = (context: Context, { reflex }: { reflex: string }) =>
  setEnabled(context, reflex, true)

export const runReflexesDisable = (context: Context, { reflex }: { reflex: string }) =>
  setEnabled(context, reflex, false)

export const runReflexesDelete = (
  context: Context,
  { reflex: typed, yes }: { reflex: string; yes?: boolean },
): Promise<void> =>
  changeConfirmed(context, {
    yes,
    words: ['reflexes', 'delete', typed],
    find: () => findReflex(context, typed),
    question: ({ name }) => `Delete the reflex ${oneLine(name)} and its firings?`,
    change: ({ reflex_id }) =>
      signedInClient(context).call(deleteReflex, { params: { reflex_id } }),
    response: (reflex) => ({ ...reflex, deleted: true }),
    done: ({ name }) => `Deleted the reflex ${oneLine(name)}.`,
  })

interface FiringsArgs {
  reflex: string
  limit?: number
  before?: string
}

const DEFAULT_LIMIT = 30

export const runReflexesFirings = async (context: Context, args: FiringsArgs): Promise<void> => {
  const { limit = DEFAULT_LIMIT, before } = args
  const { reflex_id } = await findReflex(context, args.reflex)
  const firings = await signedInClient(context).call(listFirings, {
    params: { reflex_id },
    query: { limit, ...definedFields({ before }) },
  })
  await printList(context, {
    items: firings,
    columns: {
      TIME: ({ created_at }) => formatMinute(created_at),
      STATE: ({ state }) => state,
      DETAIL: ({ error, event }) => error ?? jsonLine(event),
    },
    empty: 'The reflex has not fired.',
  })
  const next = { limit: args.limit, before: firings.at(-1)?.firing_id }
  printNextPage(context, firings.length === limit, ['reflexes', 'firings', args.reflex], next)
}
