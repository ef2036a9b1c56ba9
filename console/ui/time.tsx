import { useSyncExternalStore } from 'react'
import { serverNow } from '../session/clock.ts'
import { chosenTimeZone, locale } from '../texts/tools/region.ts'

const RELATIVE = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
const ABSOLUTE = new Intl.DateTimeFormat(locale, {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: chosenTimeZone,
})
const DAY = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: chosenTimeZone })

const UNITS = [
  ['minute', 60],
  ['hour', 3600],
  ['day', 86_400],
] as const

const MAX_RELATIVE_SECONDS = 7 * 86_400

/** A time as a reader counts it: relative for a week, then the day. */
export const formatTime = (iso: string, now = serverNow()): string => {
  const seconds = (Date.parse(iso) - now) / 1000
  if (Math.abs(seconds) >= MAX_RELATIVE_SECONDS) return DAY.format(new Date(iso))
  const [unit, size] = UNITS.findLast(([, size]) => Math.abs(seconds) >= size) ?? UNITS[0]
  return RELATIVE.format(Math.round(seconds / size), unit)
}

export const formatDateTime = (iso: string): string => ABSOLUTE.format(new Date(iso))

const TICK_MS = 30_000
const clocks = new Set<() => void>()
let ticks = 0
let timer: ReturnType<typeof setInterval> | undefined

/** One timer for all times on the screen, which tick together. */
const subscribe = (tick: () => void): (() => void) => {
  clocks.add(tick)
  timer ??= setInterval(() => {
    ticks++
    for (const each of clocks) each()
  }, TICK_MS)
  return () => {
    clocks.delete(tick)
    if (clocks.size) return
    clearInterval(timer)
    timer = undefined
  }
}

/** A time that stays true while it is shown, with the exact one as its title. */
export const Time = ({ iso }: { iso: string }) => {
  useSyncExternalStore(subscribe, () => ticks)
  return (
    <time dateTime={iso} title={formatDateTime(iso)}>
      {formatTime(iso)}
    </time>
  )
}
