import { useMemo } from 'react'
import uPlot from 'uplot'
import { number } from '../texts/tools/numbers.ts'
import { chosenTimeZone, locale } from '../texts/tools/region.ts'
import type { Line } from './line.ts'
import { axisOf, Plot } from './plot.tsx'
import { useTokenColors } from './token-colors.ts'

const HEIGHT = 220
const LINE_WIDTH = 2
const POINT_SIZE = 5
/** Lines with fewer points mark each of them. */
const MARKED_POINTS = 60
const AXIS_WIDTH = 60
/** A color for each of `MAX_LINES`. */
const TOKENS = [
  '--quiet',
  '--line',
  '--cluster-1',
  '--cluster-2',
  '--cluster-3',
  '--cluster-4',
  '--cluster-5',
  '--cluster-6',
] as const

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

/** The steps of the axis are those of the chosen zone. */
const zonedDate = (ms: number): Date =>
  chosenTimeZone ? uPlot.tzDate(new Date(ms), chosenTimeZone) : new Date(ms)

const formatter = (options: Intl.DateTimeFormatOptions): ((ms: number) => string) => {
  const format = new Intl.DateTimeFormat(locale, { timeZone: chosenTimeZone, ...options })
  return (ms) => format.format(ms)
}
const formatDay = formatter({ month: 'short', day: 'numeric' })
const formatMinute = formatter({ timeStyle: 'short' })
const formatSecond = formatter({ timeStyle: 'medium' })

/** The texts of the axis: days, or times with each day once below the first of its times. */
const timesOf = (ticks: readonly number[], step: number): string[] => {
  if (step >= DAY_MS) return ticks.map(formatDay)
  const formatTime = step < MINUTE_MS ? formatSecond : formatMinute
  const days = ticks.map(formatDay)
  return ticks.map((tick, i) => {
    const time = formatTime(tick)
    return days[i] === days[i - 1] ? time : `${time}\n${days[i]}`
  })
}

interface LineChartProps {
  /** Names the drawing for assistive technology. */
  label: string
  /** In milliseconds since 1970, ascending. */
  times: readonly number[]
  lines: readonly Line[]
}

const optionsOf = (
  lines: readonly Line[],
  pointCount: number,
  colors: readonly string[],
): Omit<uPlot.Options, 'width' | 'height'> => {
  const [quiet = '', line = '', ...strokes] = colors
  const axis = axisOf(quiet, line)
  return {
    ms: 1,
    tzDate: zonedDate,
    cursor: { drag: { x: false, y: false } },
    legend: { show: lines.length > 1, live: false },
    axes: [
      { ...axis, values: (_, ticks, __, ___, step) => timesOf(ticks, step) },
      { ...axis, size: AXIS_WIDTH, values: (_, ticks) => ticks.map((tick) => number(tick)) },
    ],
    series: [
      {},
      ...lines.map(({ name }, i) => ({
        label: name,
        stroke: strokes[i % strokes.length] ?? quiet,
        width: LINE_WIDTH,
        spanGaps: true,
        points: { show: pointCount < MARKED_POINTS, size: POINT_SIZE },
      })),
    ],
  }
}

/** A line chart over time. The default export is for `lazy`: uPlot is loaded with the first chart. */
const LineChart = ({ label, times, lines }: LineChartProps) => {
  const colors = useTokenColors(TOKENS)
  const data = useMemo(
    (): uPlot.AlignedData => [[...times], ...lines.map(({ values }) => [...values])],
    [times, lines],
  )
  const options = useMemo(() => optionsOf(lines, times.length, colors), [lines, times, colors])
  return <Plot label={label} className="line-chart" height={HEIGHT} data={data} options={options} />
}

export default LineChart
