import type { Paging } from '../../shared/contract/paging.ts'
import { fieldsOf } from '../../shared/objects.ts'

type Args = Readonly<Record<string, unknown>>

/** The items of all pages of a list. A page is requested when its first item is needed. */
export async function* readPages(
  request: (args: Args) => Promise<unknown>,
  args: Args,
  { parameter, items, next, isOldestFirst }: Paging,
): AsyncGenerator<unknown> {
  const known = new Set<unknown>()
  let at = args[parameter]
  do {
    known.add(at)
    const answer = await request({ ...args, [parameter]: at })
    const list = (items ? fieldsOf(answer)[items] : answer) as unknown[]
    const page = isOldestFirst ? list.toReversed() : list
    yield* page
    const following = fieldsOf(items ? answer : page.at(-1))[next]
    at = parameter === 'page' ? following && Number(at ?? 1) + 1 : following
  } while (at && !known.has(at))
}
