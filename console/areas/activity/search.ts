import type { ActivitySearch } from '../../session/live.ts'

const textOf = (value: unknown): string | undefined =>
  (typeof value === 'string' || typeof value === 'number') && value !== ''
    ? String(value)
    : undefined

/** The filters in the address. A kind that the server would refuse is left out. */
export const readActivitySearch = (search: Record<string, unknown>): ActivitySearch => {
  const [kind, client, session] = [search.kind, search.client, search.session].map(textOf)
  return {
    ...(kind && /^[a-z.]{1,50}$/.test(kind) && { kind }),
    ...(client && { client: client.slice(0, 200) }),
    ...(session && { session: session.slice(0, 200) }),
  }
}
