import { useEffect, useState } from 'react'
import { Label, Slider, SliderThumb, SliderTrack } from 'react-aria-components'
import { DAY_MS } from '../../../shared/duration.ts'
import { graph as texts } from '../../texts/graph.ts'
import { chosenTimeZone, locale } from '../../texts/tools/region.ts'
import type { GraphModel } from './model.ts'
import { useGraphSearch } from './use-graph-search.ts'

const DAY = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: chosenTimeZone })

/** A slider with two ends over the times of the memories, in days. */
export const TimeRange = ({ model }: { model: GraphModel }) => {
  const { search, change } = useGraphSearch()
  const first = Math.floor(model.firstTime / DAY_MS) * DAY_MS
  const last = Math.max(first + DAY_MS, Math.ceil(model.lastTime / DAY_MS) * DAY_MS)
  const from = Math.min(Math.max(search.from ?? first, first), last)
  const to = Math.min(Math.max(search.to ?? last, from), last)
  // While an end is dragged, only the slider follows it.
  const [range, setRange] = useState([from, to])
  useEffect(() => setRange([from, to]), [from, to])
  const [shownFrom = from, shownTo = to] = range
  return (
    <Slider
      className="graph-time"
      minValue={first}
      maxValue={last}
      step={DAY_MS}
      value={range}
      onChange={setRange}
      onChangeEnd={([start = first, end = last]) =>
        change({
          from: start > first ? start : undefined,
          to: end < last ? end : undefined,
        })
      }
    >
      <Label className="label">{texts.time}</Label>
      <span className="small quiet numeric">
        {DAY.formatRange(new Date(shownFrom), new Date(shownTo))}
      </span>
      <SliderTrack className="slider-track">
        <SliderThumb className="slider-thumb" index={0} aria-label={texts.timeFrom} />
        <SliderThumb className="slider-thumb" index={1} aria-label={texts.timeTo} />
      </SliderTrack>
    </Slider>
  )
}
