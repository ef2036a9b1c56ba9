import { useSyncExternalStore } from 'react'

const RELATIVE = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })
const ABSOLUTE = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })

const UNITS = [
  ['minute', 60],
  ['hour', 3600],
  ['day', 86_400],
] as const

const MAX_RELATIVE_SECONDS = 7 * 86_400

/** A time as a reader counts it: relative for a week, then the day. */
export const formatTime = (iso: string, now = Date.now()): string => {
  const seconds = (Date.parse(iso) - now) / 1000
  if (Math.abs(seconds) >= MAX_RELATIVE_SECONDS) return DAY.format(new Date(iso))
  const [unit, size] = UNITS.findLast(([, size]) => Math.abs(seconds) >= size) ?? UNITS[0]
  return RELATIVE.format(Math.round(seconds / size), unit)
}

export const formatDateTime = (iso: string): string => ABSOLUTE.format(new Date(iso))

/**
 * The value of a date or time field, in the time zone of the user, as the API has it. A year after 9999
 * stays as it is, and the API reports it.
 */
export const isoOf = (local: string): string => {
  const time = new Date(local)
  return Number.isNaN(time.getTime()) ? local : time.toISOString()
}

const TICK_MS = 30_000
const clocks = new Set<() => void>()
let now = Date.now()
let timer: ReturnType<typeof setInterval> | undefined

/** One timer for all times on the screen, which tick together. */
const subscribe = (tick: () => void): (() => void) => {
  clocks.add(tick)
  timer ??= setInterval(() => {
    now = Date.now()
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
  const ticked = useSyncExternalStore(subscribe, () => now)
  return (
    <time dateTime={iso} title={formatDateTime(iso)}>
      {formatTime(iso, Math.max(ticked, Date.now()))}
    </time>
  )
}
