import { getRouteApi } from '@tanstack/react-router'
import { lazy, useMemo } from 'react'
import { listSignals, type Signal } from '../../../shared/contract/senses.ts'
import { useApiPages } from '../../session/pages.ts'
import { signals as texts } from '../../texts/automation.ts'
import { ChartCard } from '../../ui/chart-card.tsx'
import { Select } from '../../ui/choice.tsx'
import { type Line, MAX_LINES } from '../../ui/line.ts'
import { LoadMore } from '../../ui/load-more.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { signalTypeOptions } from './options.ts'
import { SignalValue } from './signal-value.tsx'

const route = getRouteApi('/automation/devices/$deviceId')

const PAGE = 50
/** The chart is loaded when it is shown. */
const LineChart = lazy(() => import('../../ui/line-chart.tsx'))

/** How soon a signal appears. */
const REFRESH_MS = 3000

/** The signals of a device as they arrive. */
export const Signals = ({ deviceId }: { deviceId: string }) => {
  const { type } = route.useSearch()
  const navigate = route.useNavigate()
  const query = useApiPages(
    listSignals,
    { deviceId, type },
    (before) => ({
      params: { device_id: deviceId },
      query: { limit: PAGE, ...(before && { before }), ...(type && { signal_type: type }) },
    }),
    (page) => (page.length === PAGE ? page.at(-1)?.signal_id : null),
    { pollMs: REFRESH_MS },
  )
  const list = useMemo(() => query.data?.pages.flat(), [query.data])
  return (
    <div className="stack-small">
      <div className="row spread">
        <div>
          <h2>{texts.title}</h2>
          <p className="quiet small">{texts.note}</p>
        </div>
        <Select
          label={texts.type}
          isLabelHidden
          options={[{ id: '', label: texts.allTypes }, ...signalTypeOptions]}
          value={type ?? ''}
          onChange={(chosen) => void navigate({ to: '.', search: chosen ? { type: chosen } : {} })}
        />
      </div>
      <Loaded query={{ ...query, data: list }}>
        {(signals) =>
          signals.length ? (
            <>
              <SignalChart signals={signals} />
              <SignalTable signals={signals} />
            </>
          ) : (
            <p>{type ? texts.emptyOfType : texts.empty}</p>
          )
        }
      </Loaded>
      <LoadMore query={query} />
    </div>
  )
}

const typeName = (type: string): string =>
  signalTypeOptions.find(({ id }) => id === type)?.label ?? type

/** The numbers of the signals in the table below it, which has the same values as text. */
const SignalChart = ({ signals }: { signals: readonly Signal[] }) => {
  const { times, lines } = useMemo(() => signalLines(signals, typeName), [signals])
  if (lines.length === 0) return null
  const names = lines.map(({ name }) => name).join(', ')
  return (
    <ChartCard title={names}>
      <LineChart label={texts.chartLabel(names, times.length)} times={times} lines={lines} />
    </ChartCard>
  )
}

const SignalTable = ({ signals }: { signals: readonly Signal[] }) => (
  <Table label={texts.title} columns={[texts.value, texts.type, texts.occurred]}>
    {signals.map((signal) => (
      <tr key={signal.signal_id}>
        <td>
          <SignalValue signal={signal} />
        </td>
        <td className="nowrap">{typeName(signal.signal_type)}</td>
        <td className="nowrap">
          <Time iso={signal.occurred_at} />
        </td>
      </tr>
    ))}
  </Table>
)

/** The numbers of a signal by name. The name of a value that is a number itself is its type. */
const numbersOf = ({ signal_type, value }: Signal): [name: string, number: number][] => {
  if (typeof value === 'number') return [[signal_type, value]]
  if (signal_type !== 'readings' || typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, each]): [string, number][] =>
    typeof each === 'number' ? [[name, each]] : [],
  )
}

interface SignalLines {
  /** In milliseconds since 1970, ascending. */
  times: number[]
  /** Those with the most values first. */
  lines: Line[]
}

/**
 * The numeric signals of a device over the time when they were measured.
 * @param nameOf the name of a type, for a value without one.
 */
const signalLines = (signals: readonly Signal[], nameOf: (type: string) => string): SignalLines => {
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
