import type { Anchor } from '../../../shared/contract/identity.ts'
import { TRUST_LEVELS } from '../../../shared/contract/memories.ts'
import { isCompatible } from './compatibility.ts'
import type { Statement } from './store.ts'

/** Consecutive statements with compatible values. */
type ValuePeriod = [Statement, ...Statement[]]

/**
 * @param statements in chronological order.
 * @returns for each key, the latest value that a current memory of the highest trust states, with the
 * other values; keys without a current memory are left out.
 */
export const buildAnchors = (statements: Statement[]): Anchor[] =>
  [...Map.groupBy(statements, ({ key }) => key)]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([key, ofKey]): Anchor[] => {
      const latest = latestOfHighestTrust(ofKey)
      const periods = groupPeriods(key, ofKey)
      const current = latest && periods.find((period) => period.includes(latest))
      if (!current || !latest) return []
      return [
        {
          anchor_key: key,
          value: latest.value,
          memory_id: latest.memoryId,
          quote: latest.quote,
          trust: latest.trust,
          since: current[0].at.toISOString(),
          history: periods
            .filter((period) => period !== current)
            .toReversed()
            .map(([first]) => ({
              value: first.value,
              memory_id: first.memoryId,
              trust: first.trust,
              at: first.at.toISOString(),
            })),
        },
      ]
    })

const latestOfHighestTrust = (statements: Statement[]): Statement | undefined => {
  const current = statements.filter(({ isCurrent }) => isCurrent)
  const highest = TRUST_LEVELS.find((level) => current.some(({ trust }) => trust === level))
  return current.findLast(({ trust }) => trust === highest)
}

const groupPeriods = (key: string, statements: Statement[]): ValuePeriod[] => {
  const periods: ValuePeriod[] = []
  for (const statement of statements) {
    const period = periods.at(-1)
    if (period && isCompatible(key, period[0].value, statement.value)) period.push(statement)
    else periods.push([statement])
  }
  return periods
}
