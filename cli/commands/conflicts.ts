import {
  type IdentityConflict,
  listConflicts,
  resolveConflict,
} from '../../shared/contract/identity.ts'
import { withTrustNote } from '../../shared/origin.ts'
import { type Context, signedInClient } from '../context.ts'
import { usageError } from '../errors.ts'
import { findItem, type Kind } from '../ids.ts'
import { printList } from '../list.ts'
import { oneLine } from '../output.ts'

const conflicts: Kind<IdentityConflict> = {
  noun: 'Conflict',
  command: 'svc conflicts list',
  all: async (client) => (await client.call(listConflicts)).conflicts,
  id: ({ anchor_key }) => anchor_key,
  names: () => [],
}

/** Lists the contradicting values, latest first, with the text that states each. */
export const runConflictsList = async (context: Context): Promise<void> => {
  const response = await signedInClient(context).call(listConflicts)
  await printList(context, {
    items: response.conflicts.flatMap(({ anchor_key, values }) =>
      values.map((each) => ({ ...each, anchor_key })),
    ),
    columns: {
      KEY: ({ anchor_key }) => anchor_key,
      VALUE: ({ value, trust }) => withTrustNote(value, { trust }),
      DATE: ({ at }) => at.slice(0, 10),
      MEMORY: ({ quote }) => quote,
    },
    empty: 'No conflicts.',
    response,
  })
}

/** Settles a conflict with one of its values, or with a new one. */
export const runConflictsSettle = async (
  context: Context,
  { key, value: words }: { key: string; value: string[] },
): Promise<void> => {
  const client = signedInClient(context)
  const conflict = await findItem(client, conflicts, key)
  const { anchor_key } = conflict
  const value = chooseValue(conflict, words.join(' '))
  context.io.willPrint(['anchor_key', 'chosen_value'])
  await client.call(resolveConflict, { body: { anchor_key, chosen_value: value } })
  if (context.json) context.io.printJson({ anchor_key, chosen_value: value })
  context.io.info(`Settled ${oneLine(anchor_key)}: ${oneLine(value)}.`)
}

const chooseValue = ({ anchor_key, values }: IdentityConflict, typed: string): string => {
  const known = values.map(({ value }) => value)
  if (typed) return known.find((value) => value.toLowerCase() === typed.toLowerCase()) ?? typed
  throw usageError(
    `${oneLine(anchor_key)} has several values: ${known.map(oneLine).join(', ')}.`,
    `Run: svc conflicts settle ${oneLine(anchor_key)} VALUE`,
  )
}
