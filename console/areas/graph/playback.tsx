import { Label, Slider, SliderThumb, SliderTrack } from 'react-aria-components'
import { DAY_MS } from '../../../shared/duration.ts'
import { graph as texts } from '../../texts/graph.ts'
import { chosenTimeZone, locale } from '../../texts/tools/region.ts'
import { IconButton } from '../../ui/button.tsx'
import { Select } from '../../ui/choice.tsx'
import { type Playback, SPEEDS } from './use-playback.ts'

const DAY = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: chosenTimeZone })
const MINUTE = new Intl.DateTimeFormat(locale, {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: chosenTimeZone,
})
const SPEED_OPTIONS = SPEEDS.map((speed) => ({
  id: String(speed),
  label: texts.speedOption(speed),
}))

/** The range of times that is shown, as a slider with two ends, and its playback. */
export const PlaybackBar = ({ playback }: { playback: Playback }) => {
  const { first, last, step, from, to, isPlaying, isReduced } = playback
  const format = step < DAY_MS ? MINUTE : DAY
  return (
    <section className="graph-playback" aria-label={texts.playback}>
      <div className="row graph-playback-buttons">
        <IconButton
          icon="back"
          label={texts.earlier}
          isDisabled={to <= from}
          onPress={() => playback.stepBy(-1)}
        />
        {!isReduced && (
          <IconButton
            icon={isPlaying ? 'stop' : 'play'}
            label={isPlaying ? texts.pause : texts.play}
            onPress={isPlaying ? playback.pause : playback.play}
          />
        )}
        <IconButton
          icon="next"
          label={texts.later}
          isDisabled={to >= last}
          onPress={() => playback.stepBy(1)}
        />
        {!isReduced && (
          <Select
            label={texts.speed}
            isLabelHidden
            options={SPEED_OPTIONS}
            value={String(playback.speed)}
            onChange={(id) => playback.setSpeed(SPEEDS.find((speed) => String(speed) === id) ?? 1)}
          />
        )}
      </div>
      <Slider
        className="graph-time"
        minValue={first}
        maxValue={last}
        step={step}
        value={[from, to]}
        onChange={([start = first, end = last]) => playback.move(start, end)}
        onChangeEnd={([start = first, end = last]) => playback.commit(start, end)}
      >
        <Label className="label">{texts.time}</Label>
        <span className="small quiet numeric">{format.formatRange(from, to)}</span>
        <SliderTrack className="slider-track">
          <SliderThumb className="slider-thumb" index={0} aria-label={texts.timeFrom} />
          <SliderThumb className="slider-thumb" index={1} aria-label={texts.timeTo} />
        </SliderTrack>
      </Slider>
      {isReduced && <p className="small quiet graph-reduced">{texts.reducedMotion}</p>}
    </section>
  )
}
