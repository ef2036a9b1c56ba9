import { useMemo } from 'react'
import uPlot from 'uplot'
import { axisOf, Plot } from './plot.tsx'
import { useTokenColors } from './token-colors.ts'

const HEIGHT = 180
/** The share of its place that a bar fills, and its maximum width in pixels. */
const BAR_SIZE: [share: number, max: number] = [0.65, 60]
/** The minimum distance of two names on the axis, in pixels. */
const NAME_SPACE = 70
const NAME_STEPS = [1, 2, 3, 6, 7, 14, 30]
/** Whole numbers only: the values are counts. */
const VALUE_STEPS = [1, 10, 100, 1e3, 1e4, 1e5, 1e6].flatMap((step) => [step, 2 * step, 5 * step])
const TOKENS = ['--accent', '--quiet', '--line'] as const

interface BarChartProps {
  /** Names the drawing for assistive technology. */
  label: string
  /** Of the bars. The axis shows those that fit. */
  names: readonly string[]
  values: readonly number[]
}

const optionsOf = (names: readonly string[], colors: readonly string[]) => {
  const [accent = '', quiet = '', line = ''] = colors
  const axis = axisOf(quiet, line)
  const bars = uPlot.paths.bars?.({ size: BAR_SIZE })
  const options: Omit<uPlot.Options, 'width' | 'height'> = {
    legend: { show: false },
    cursor: { show: false },
    scales: {
      x: { time: false, range: [-0.5, names.length - 0.5] },
      y: { range: (_, __, max) => [0, Math.max(max * 1.1, 1)] },
    },
    axes: [
      {
        ...axis,
        size: 30,
        grid: { show: false },
        values: (_, ticks) => ticks.map((tick) => names[tick] ?? ''),
        incrs: NAME_STEPS,
        space: NAME_SPACE,
      },
      { ...axis, size: 60, incrs: VALUE_STEPS },
    ],
    series: [{}, { width: 0, fill: accent, points: { show: false }, ...(bars && { paths: bars }) }],
  }
  return options
}

/** A bar chart. The default export is for `lazy`: uPlot is loaded with the first chart. */
const BarChart = ({ label, names, values }: BarChartProps) => {
  const colors = useTokenColors(TOKENS)
  const data = useMemo(
    (): uPlot.AlignedData => [names.map((_, index) => index), [...values]],
    [names, values],
  )
  const options = useMemo(() => optionsOf(names, colors), [names, colors])
  return <Plot label={label} className="bar-chart" height={HEIGHT} data={data} options={options} />
}

export default BarChart
