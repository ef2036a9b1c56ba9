import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/duration.ts'
import { useMedia } from '../../ui/use-media.ts'
import type { GraphModel } from './model.ts'
import { useGraphSearch } from './use-graph-search.ts'

export const SPEEDS = [0.5, 1, 2, 4] as const
export type Speed = (typeof SPEEDS)[number]

/** All times, at speed 1. */
const WHOLE_MS = 20_000
/** Between two pictures: a picture counts all memories. */
const PICTURE_MS = 100
const STEPS = 20
/** The slider has at most this number of steps, of one of these lengths. */
const MAX_SLIDER_STEPS = 400
const SLIDER_STEPS = [MINUTE_MS, HOUR_MS, DAY_MS, 7 * DAY_MS, 30 * DAY_MS]

const REDUCED = '(prefers-reduced-motion: reduce)'

/** The times of the memories, rounded to the steps of a slider. */
export const rangeOf = ({ firstTime, lastTime }: GraphModel) => {
  const span = lastTime - firstTime
  const step = SLIDER_STEPS.find((each) => span / each <= MAX_SLIDER_STEPS) ?? 365 * DAY_MS
  const first = Math.floor(firstTime / step) * step
  return { first, last: Math.max(first + step, Math.ceil(lastTime / step) * step), step }
}

/** The range of times that is shown, and its playback: the end moves from the start to the last time. */
export const usePlayback = (model: GraphModel) => {
  const { search, change } = useGraphSearch()
  const { first, last, step } = useMemo(() => rangeOf(model), [model])
  const isReduced = useMedia(REDUCED)
  const [speed, setSpeed] = useState<Speed>(1)
  const [isPlaying, setPlaying] = useState(false)
  // The address follows when the playback ends: browsers limit how often it changes.
  const [moved, setMoved] = useState<readonly [from: number, to: number]>()
  const from = moved?.[0] ?? Math.min(Math.max(search.from ?? first, first), last)
  const to = moved?.[1] ?? Math.min(Math.max(search.to ?? last, from), last)

  const commit = useCallback(
    (start: number, end: number) => {
      setMoved(undefined)
      change({
        from: start > first ? start : undefined,
        to: end < last ? end : undefined,
      })
    },
    [change, first, last],
  )
  const latest = useRef({ from, to, commit })
  latest.current = { from, to, commit }

  const stop = useCallback(() => {
    setPlaying(false)
    latest.current.commit(latest.current.from, latest.current.to)
  }, [])
  useEffect(() => {
    if (isPlaying && isReduced) stop()
    if (!isPlaying || isReduced) return
    let shownAt = performance.now()
    const show = (time: number): void => {
      frame = requestAnimationFrame(show)
      if (time - shownAt < PICTURE_MS) return
      const passed = ((time - shownAt) / WHOLE_MS) * speed * (last - first)
      shownAt = time
      const next = latest.current.to + passed
      if (next >= last) {
        setPlaying(false)
        latest.current.commit(latest.current.from, last)
      } else setMoved([latest.current.from, next])
    }
    let frame = requestAnimationFrame(show)
    return () => cancelAnimationFrame(frame)
  }, [isPlaying, isReduced, speed, first, last, stop])

  return {
    first,
    last,
    step,
    from,
    to,
    speed,
    setSpeed,
    isPlaying,
    isReduced,
    play(): void {
      if (to >= last) setMoved([from, from])
      setPlaying(true)
    },
    pause: stop,
    /** Shows a range, without the address, until `commit`. */
    move: (start: number, end: number) => setMoved([start, end]),
    commit,
    /** Moves the end by a share of all times. */
    stepBy: (direction: 1 | -1) =>
      commit(from, Math.min(Math.max(to + (direction * (last - first)) / STEPS, from), last)),
  }
}

export type Playback = ReturnType<typeof usePlayback>
