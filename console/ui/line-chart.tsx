import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import type { Line } from './line.ts'
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
  width: number,
): uPlot.Options => {
  const [quiet = '', line = '', ...strokes] = colors
  const axis = { stroke: quiet, grid: { stroke: line, width: 1 }, ticks: { show: false } }
  return {
    width,
    height: HEIGHT,
    ms: 1,
    cursor: { drag: { x: false, y: false } },
    legend: { show: lines.length > 1, live: false },
    axes: [axis, { ...axis, size: AXIS_WIDTH }],
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
  const container = useRef<HTMLDivElement>(null)
  const colors = useTokenColors(TOKENS)
  useEffect(() => {
    const { current } = container
    if (!current) return
    const data: uPlot.AlignedData = [[...times], ...lines.map(({ values }) => [...values])]
    const options = optionsOf(lines, times.length, colors, current.clientWidth)
    const plot = new uPlot(options, data, current)
    const resize = new ResizeObserver(() =>
      plot.setSize({ width: current.clientWidth, height: HEIGHT }),
    )
    resize.observe(current)
    return () => {
      resize.disconnect()
      plot.destroy()
    }
  }, [times, lines, colors])
  return <div ref={container} className="line-chart" role="img" aria-label={label} />
}

export default LineChart
