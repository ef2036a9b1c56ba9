/** The `detail` of an error body as one line of text. */
export const describeFailure = (status: number, detail: unknown): string => {
  if (typeof detail === 'string') return detail
  if (Array.isArray(detail)) return detail.map(fieldText).join('; ')
  if (detail && typeof detail === 'object') return objectText(status, detail as Fields)
  return `HTTP ${status}`
}

type Fields = Readonly<Record<string, unknown>>

const fieldText = ({ loc, msg }: { loc: unknown[]; msg: string }) =>
  `${loc.slice(1).join('.') || loc[0]}: ${msg}`

const objectText = (status: number, detail: Fields): string => {
  const { error, message, current_tier } = detail
  if (typeof message === 'string') return message
  if (error === 'tier_insufficient')
    return `This requires the tier ${detail.required_tier}; the account has ${current_tier}`
  if (error === 'feature_gate_denied')
    return `The tier ${current_tier} does not include ${detail.feature}; ${detail.recommended_tier} does`
  if (error === 'rate_limited')
    return `Too many requests: wait ${detail.retry_after} seconds before the next one`
  return typeof error === 'string' ? error : `HTTP ${status}`
}
