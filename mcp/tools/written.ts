import { type Static, Type } from '@sinclair/typebox'
import type { Client } from '../../shared/client.ts'
import { me } from '../../shared/contract/index.ts'
import type { Memory, Remembered } from '../../shared/contract/memories.ts'
import { Me } from '../../shared/contract/sessions.ts'
import { expectResponse } from '../response.ts'
import { confirmationOf } from '../text/memory-page.ts'
import { MemoryView } from '../text/memory-view.ts'

/** The organization that a write went to; none for the account itself. */
export const writtenFields = { organization: Type.Optional(Type.String()) }

/** A memory that was written. */
export const Written = Type.Object({ ...MemoryView.properties, ...writtenFields })

/** The name of the organization of a memory. */
export const organizationOf = async (
  client: Client,
  { org_id }: Memory,
  signal: AbortSignal,
): Promise<{ organization?: string }> => {
  if (org_id === null) return {}
  const { org } = expectResponse(Me, await client.call(me, { signal }))
  return { organization: org?.name ?? org_id }
}

/** A confirmation with the start of the content, and the organization that it went to. */
export const writtenView = async (
  client: Client,
  memory: Memory,
  signal: AbortSignal,
): Promise<Static<typeof Written>> => ({
  ...confirmationOf(memory),
  ...(await organizationOf(client, memory, signal)),
})

/** For texts: `, which replaces <id>`. */
export const replacing = ({ supersedes }: { supersedes?: string | undefined }): string =>
  supersedes === undefined ? '' : `, which replaces ${supersedes}`

/** For texts: `, which now has tags "tea" and importance 0.9` */
export const adding = (added: Remembered['added']): string => {
  const parts = [
    ...(added?.tags ? [`tags ${added.tags.map((tag) => JSON.stringify(tag)).join(', ')}`] : []),
    ...(added?.importance === undefined ? [] : [`importance ${added.importance}`]),
  ]
  return parts.length ? `, which now has ${parts.join(' and ')}` : ''
}

/** For texts: `; the user chose "Lisbon", …` */
export const settling = ({ settled }: { settled?: string | undefined }): string =>
  settled === undefined ? '' : `; ${settled}`

/** For texts: ` in the organization "Herons"`. */
export const writtenTo = ({ organization }: { organization?: string }): string =>
  organization === undefined ? '' : ` in the organization ${JSON.stringify(organization)}`
