import { useEffect, useRef } from 'react'
import uPlot from 'uplot'

interface PlotProps {
  /** Names the drawing for assistive technology. */
  label: string
  className: string
  height: number
  data: uPlot.AlignedData
  options: Omit<uPlot.Options, 'width' | 'height'>
}

/** A drawing of uPlot, as wide as its place. It is drawn anew when `data` or `options` change. */
export const Plot = ({ label, className, height, data, options }: PlotProps) => {
  const container = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const { current } = container
    if (!current) return
    const plot = new uPlot({ ...options, width: current.clientWidth, height }, data, current)
    const resize = new ResizeObserver(() => plot.setSize({ width: current.clientWidth, height }))
    resize.observe(current)
    return () => {
      resize.disconnect()
      plot.destroy()
    }
  }, [data, options, height])
  return <div ref={container} className={className} role="img" aria-label={label} />
}

/** A canvas needs its value. */
const FONT = `12px ${getComputedStyle(document.documentElement).getPropertyValue('--font')}`

/** The look of an axis, and of the lines that it draws across. */
export const axisOf = (quiet: string, line: string) => ({
  stroke: quiet,
  font: FONT,
  grid: { stroke: line, width: 1 },
  ticks: { show: false },
})
