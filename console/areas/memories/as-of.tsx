import { useState } from 'react'
import { Label, Slider, SliderOutput, SliderThumb, SliderTrack } from 'react-aria-components'
import { DAY_MS } from '../../../shared/duration.ts'
import { memories } from '../../texts/memories.ts'
import { TextField } from '../../ui/field.tsx'
import { addDays, today } from '../../ui/zone.ts'

const texts = memories.filters
/** The slider reaches back this far, or to the chosen day; the date field any further. */
const MIN_DAYS = 365

const daysBefore = (day: string | undefined): number =>
  day ? Math.max(0, Math.round((Date.parse(today()) - Date.parse(day)) / DAY_MS)) : 0

const dayBefore = (days: number): string => addDays(today(), -days)

interface AsOfFieldProps {
  value: string | undefined
  onChange: (day: string | undefined) => void
}

/** The day whose state of knowledge is searched: a slider for a look back, and a date for a precise one. */
export const AsOfField = ({ value, onChange }: AsOfFieldProps) => {
  const chosen = daysBefore(value)
  const [dragged, setDragged] = useState<number>()
  const days = dragged ?? chosen
  const reach = Math.max(MIN_DAYS, chosen)
  const choose = (back: number) => {
    setDragged(undefined)
    onChange(back === 0 ? undefined : dayBefore(back))
  }
  return (
    <div className="as-of">
      <TextField
        type="date"
        label={texts.asOf}
        value={value ?? ''}
        onChange={(day) => onChange(day || undefined)}
      />
      {/* The newest day is at the right end, as on a time axis. */}
      <Slider
        className="slider"
        minValue={-reach}
        maxValue={0}
        value={-days}
        onChange={(position) => setDragged(-position)}
        onChangeEnd={(position) => choose(-position)}
      >
        <Label className="small quiet">{texts.asOfSlider}</Label>
        <SliderOutput className="small quiet">{texts.daysAgo(days)}</SliderOutput>
        <SliderTrack className="slider-track">
          <SliderThumb className="slider-thumb" aria-label={texts.asOfSlider} />
        </SliderTrack>
      </Slider>
      <p className="field-note">{texts.asOfNote}</p>
    </div>
  )
}
