/**
 * The server counts money in whole micro-dollars. The API reports credits, of which 1,000 are a US
 * dollar, and dollars.
 */
const MICROS_PER_USD = 1_000_000
const MICROS_PER_CREDIT = 1_000
const MICROS_PER_CENT = 10_000

export const microsToUsd = (micros: number): number => micros / MICROS_PER_USD
export const microsToCredits = (micros: number): number => micros / MICROS_PER_CREDIT
export const centsToMicros = (cents: number): number => cents * MICROS_PER_CENT
export const centsToCredits = (cents: number): number => microsToCredits(centsToMicros(cents))

/** @returns whole micro-dollars; undefined for more than six decimals. */
export const usdToMicros = (usd: number): number | undefined => scaled(usd, 6)

/** @returns whole cents; undefined for more than two decimals. */
export const usdToCents = (usd: number): number | undefined => scaled(usd, 2)

/** Shifts the decimal point in the text of a number: 0.07 * 100 is not 7 in floating point. */
const scaled = (usd: number, decimals: number): number | undefined => {
  const [, dollars, fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(withoutExponent(usd)) ?? []
  if (dollars === undefined || fraction.length > decimals) return undefined
  return Number(`${dollars}${fraction.padEnd(decimals, '0')}`)
}

/** JavaScript writes small numbers as 1e-7. */
const withoutExponent = (usd: number): string =>
  String(usd).includes('e-')
    ? usd
        .toFixed(20)
        .replace(/(?<!0)0+$/, '')
        .replace(/\.$/, '')
    : String(usd)
