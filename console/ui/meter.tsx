import { Meter as AriaMeter, Label } from 'react-aria-components'

/** From this share on, a limit is nearly used up. */
const NEAR_SHARE = 0.8

type Level = 'ok' | 'near' | 'over'

export const levelOf = (share: number): Level => {
  if (share >= 1) return 'over'
  return share >= NEAR_SHARE ? 'near' : 'ok'
}

/** How much of a limit is used, from 0; `null` is no limit. */
export const shareOf = (used: number, limit: number | null): number => {
  if (limit === null) return 0
  return limit === 0 ? 1 : used / limit
}

const CLASSES = { ok: 'meter', near: 'meter warn', over: 'meter bad' } as const

interface MeterProps {
  label: string
  /** The used amount in words: “20 of 100”. */
  value: string
  /** From 0; the limit is 1. */
  share: number
  /** A remark at the end. */
  note?: string | undefined
}

/** A bar that shows how much of a limit is used. */
export const Meter = ({ label, value, share, note }: MeterProps) => (
  <AriaMeter
    className={CLASSES[levelOf(share)]}
    value={Math.min(share, 1) * 100}
    valueLabel={value}
  >
    <div className="row spread">
      <Label>{label}</Label>
      <span className="numeric">{value}</span>
    </div>
    <div className="meter-bar">
      <div className="meter-fill" style={{ width: `${Math.min(share, 1) * 100}%` }} />
    </div>
    {note && <span className="small quiet numeric">{note}</span>}
  </AriaMeter>
)
