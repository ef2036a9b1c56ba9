import type { Signal } from '../../../shared/contract/senses.ts'
import { type Line, MAX_LINES } from '../../ui/line.ts'

/** The numbers of a signal by name. The name of a value that is a number itself is its type. */
const numbersOf = ({ signal_type, value }: Signal): [name: string, number: number][] => {
  if (typeof value === 'number') return [[signal_type, value]]
  if (signal_type !== 'readings' || typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, each]): [string, number][] =>
    typeof each === 'number' ? [[name, each]] : [],
  )
}

export interface SignalLines {
  /** In milliseconds since 1970, ascending. */
  times: number[]
  /** Those with the most values first. */
  lines: Line[]
}

/**
 * The numeric signals of a device over the time when they were measured.
 * @param nameOf the name of a type, for a value without one.
 */
export const signalLines = (
  signals: readonly Signal[],
  nameOf: (type: string) => string,
): SignalLines => {
  const byTime = Map.groupBy(signals, ({ occurred_at }) => Date.parse(occurred_at))
  const times = [...byTime.keys()].toSorted((a, b) => a - b)
  const found = new Map<string, (number | null)[]>()
  times.forEach((time, at) => {
    for (const signal of byTime.get(time) ?? [])
      for (const [key, number] of numbersOf(signal)) {
        const name = key === signal.signal_type ? nameOf(key) : key
        const values = found.get(name) ?? times.map(() => null)
        values[at] = number
        found.set(name, values)
      }
  })
  const countOf = (values: readonly (number | null)[]) =>
    values.filter((value) => value !== null).length
  const lines = Array.from(found, ([name, values]): Line => ({ name, values }))
    .filter(({ values }) => countOf(values) > 1)
    .toSorted((a, b) => countOf(b.values) - countOf(a.values))
    .slice(0, MAX_LINES)
  return { times, lines }
}
