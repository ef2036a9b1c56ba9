import type { Anchor } from '../../../shared/schemas/identity.ts'
import { agree } from './agree.ts'
import type { Saying } from './store.ts'

/** The same value, said once or several times in a row. */
type Period = [Saying, ...Saying[]]

/**
 * What holds of somebody now, and what was said before.
 * @param sayings in the order in which they were said.
 * @returns by key, the latest value that a memory still holds; a key of which none does is left out.
 */
export const anchorsOf = (sayings: Saying[]): Anchor[] =>
  [...Map.groupBy(sayings, ({ key }) => key)]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([key, said]): Anchor[] => {
      const periods = periodsOf(key, said)
      const now = periods.findLast((period) => period.some(({ holds }) => holds))
      const latest = now?.findLast(({ holds }) => holds)
      if (!now || !latest) return []
      return [
        {
          anchor_key: key,
          value: latest.value,
          memory_id: latest.memoryId,
          quote: latest.quote,
          since: now[0].at.toISOString(),
          history: periods
            .filter((period) => period !== now)
            .toReversed()
            .map(([first]) => ({
              value: first.value,
              memory_id: first.memoryId,
              at: first.at.toISOString(),
            })),
        },
      ]
    })

const periodsOf = (key: string, sayings: Saying[]): Period[] => {
  const periods: Period[] = []
  for (const saying of sayings) {
    const period = periods.at(-1)
    if (period && agree(key, period[0].value, saying.value)) period.push(saying)
    else periods.push([saying])
  }
  return periods
}
