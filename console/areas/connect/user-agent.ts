import { connect } from '../../texts/connect.ts'

const BROWSERS = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const

const SYSTEMS = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Mac OS X', 'macOS'],
  ['Windows', 'Windows'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
] as const

const find = (userAgent: string, names: readonly (readonly [string, string])[]) =>
  names.find(([mark]) => userAgent.includes(mark))?.[1]

/**
 * A browser and its system, such as `Chrome on macOS`. Browsers also name those that they are compatible
 * with, so the order counts. Other programs are shown by their own name.
 */
export const describeUserAgent = (userAgent: string): string => {
  const [browser, system] = [find(userAgent, BROWSERS), find(userAgent, SYSTEMS)]
  return browser && system ? connect.browserOn(browser, system) : userAgent
}
