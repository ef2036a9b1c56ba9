/**
 * Money is whole micro-dollars wherever it is counted; the API speaks in credits, of which 1,000 are a
 * US dollar, and in dollars.
 */
const MICROS_PER_USD = 1_000_000
const MICROS_PER_CREDIT = 1_000
const MICROS_PER_CENT = 10_000

export const inUsd = (micros: number): number => micros / MICROS_PER_USD
export const inCredits = (micros: number): number => micros / MICROS_PER_CREDIT
export const ofCents = (cents: number): number => cents * MICROS_PER_CENT
export const creditsOfCents = (cents: number): number => inCredits(ofCents(cents))

/** Dollars that a caller wrote. @returns whole micro-dollars, or undefined where there are finer parts. */
export const ofUsd = (usd: number): number | undefined => whole(usd, 6)

/** Dollars that a caller wrote. @returns whole cents, or undefined where there are finer parts. */
export const inCents = (usd: number): number | undefined => whole(usd, 2)

/** Read as it is written: what a float makes of 0.07 times a hundred is not what anybody means by money. */
const whole = (usd: number, decimals: number): number | undefined => {
  const [, dollars, part = ''] = /^(\d+)(?:\.(\d+))?$/.exec(plainly(usd)) ?? []
  if (dollars === undefined || part.length > decimals) return undefined
  return Number(`${dollars}${part.padEnd(decimals, '0')}`)
}

/** JavaScript writes small numbers as 1e-7. */
const plainly = (usd: number): string =>
  String(usd).includes('e-') ? usd.toFixed(20).replace(/\.?0+$/, '') : String(usd)
