import type { TSchema } from '@sinclair/typebox'
import type { Endpoint } from './endpoint.ts'

/** How a client reads all pages of a list. */
export interface Paging {
  /** The query parameter that names a page. */
  parameter: 'cursor' | 'before' | 'page'
  /** The field of the response that has the items; empty if the response is the list. */
  items: string
  /** The field of the response that names the next page, or that of the last item of a page. */
  next: string
  /** Whether the pages begin with the newest item, and each page with its oldest. */
  isOldestFirst: boolean
}

/** @returns undefined for a row without pages. */
export const pagingOf = ({ query, success, summary }: Endpoint): Paging | undefined => {
  const body = success[1] as TSchema | null
  const parameter = (['cursor', 'before', 'page'] as const).find((name) => query.properties[name])
  if (!body || !parameter) return undefined
  const isOldestFirst = summary.endsWith('oldest first')
  if (body.type === 'array') {
    const [id = ''] = Object.keys(body.items.properties)
    return { parameter, items: '', next: id, isOldestFirst }
  }
  const fields = Object.entries<TSchema>(body.properties ?? {})
  const [items] = fields.find(([, { type }]) => type === 'array') ?? []
  // A cursor that is never null continues with later changes.
  const isLast = (field: TSchema) => field.anyOf?.some(({ type }: TSchema) => type === 'null')
  const [next] =
    fields.find(([name, field]) =>
      parameter === 'page' ? name === 'has_more' : name.startsWith('next_') && isLast(field),
    ) ?? []
  return items && next ? { parameter, items, next, isOldestFirst } : undefined
}
