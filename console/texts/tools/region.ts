import { language } from '../language.ts'

/** Preferences of this browser, read once: a change reloads the page. They are no secrets, so `localStorage` may have them. */
const REGION_KEY = 'svc-region'
const TIME_ZONE_KEY = 'svc-time-zone'

const stored = (key: string): string | undefined =>
  globalThis.localStorage?.getItem(key) ?? undefined

const store = (key: string, value: string | undefined): void =>
  value === undefined ? localStorage.removeItem(key) : localStorage.setItem(key, value)

/** Whether `Intl` accepts a value, which another version of the console or a person may have stored. */
const isAccepted = (use: () => unknown): boolean => {
  try {
    use()
    return true
  } catch {
    return false
  }
}

const regionOfBrowser = (): string | undefined => {
  const preferred = globalThis.navigator?.languages ?? []
  return preferred
    .filter((each) => isAccepted(() => new Intl.Locale(each)))
    .map((each) => new Intl.Locale(each).region)
    .find((region) => region)
}

const localeOf = (region: string | undefined): string =>
  region ? `${language}-${region}` : language

/** The chosen country (ISO 3166) whose forms of dates and numbers are used; undefined: that of the browser. */
export const chosenRegion = ((region) =>
  region && isAccepted(() => new Intl.Locale(localeOf(region))) ? region : undefined)(
  stored(REGION_KEY),
)

/** The chosen time zone (IANA); undefined: that of this device. */
export const chosenTimeZone = ((timeZone) =>
  timeZone && isAccepted(() => new Intl.DateTimeFormat('en', { timeZone })) ? timeZone : undefined)(
  stored(TIME_ZONE_KEY),
)

/** The locale (BCP 47) of dates and numbers: the words of the language, in the forms of the region. */
export const locale = localeOf(chosenRegion ?? regionOfBrowser())

/** Takes effect with the next load of the page. */
export const storeRegion = (region: string | undefined): void => store(REGION_KEY, region)
export const storeTimeZone = (timeZone: string | undefined): void => store(TIME_ZONE_KEY, timeZone)
