import type { Signal } from '../../../shared/contract/senses.ts'

const MAX_CHARS = 300

const textOf = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text
}

const isFlat = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value of a signal: named values one by one, any other as text. */
export const SignalValue = ({ signal: { signal_type, value } }: { signal: Signal }) => {
  if (isFlat(value))
    return (
      <span className="signal-values">
        {Object.entries(value).map(([name, each]) => (
          <span key={name}>
            <span className="quiet">
              <bdi>{name}</bdi>
            </span>{' '}
            <bdi>{textOf(each)}</bdi>
          </span>
        ))}
      </span>
    )
  return <bdi>{signal_type === 'battery' ? `${textOf(value)} %` : textOf(value)}</bdi>
}
