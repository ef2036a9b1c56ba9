import { DAY_MS } from '../../../shared/duration.ts'
import { LANGUAGE_COOKIE, LANGUAGES } from '../../../shared/languages.ts'
import { language } from '../../texts/language.ts'
import { settings } from '../../texts/settings.ts'
import { number } from '../../texts/tools/numbers.ts'
import {
  chosenRegion,
  chosenTimeZone,
  storeRegion,
  storeTimeZone,
} from '../../texts/tools/region.ts'
import { Select } from '../../ui/choice.tsx'
import { formatDateTime } from '../../ui/time.tsx'

const texts = settings.preferences
const OF_BROWSER = 'auto'
const COOKIE_SECONDS = (400 * DAY_MS) / 1000
/** Codes of `Intl.DisplayNames` that are no countries: unions, the unknown region, and those of tests. */
const NO_COUNTRIES = new Set(['EU', 'EZ', 'QO', 'UN', 'XA', 'XB', 'ZZ'])
const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
const EXAMPLE_NUMBER = 12_345.6

interface Option {
  id: string
  label: string
}

const byLabel = new Intl.Collator(language).compare

const countries = (): Option[] => {
  const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' })
  return (
    LETTERS.flatMap((first) => LETTERS.map((second) => first + second))
      .filter((code) => !NO_COUNTRIES.has(code))
      // A code of earlier times stands for another one.
      .filter((code) => new Intl.Locale(`und-${code}`).region === code)
      .flatMap((id) => ({ id, label: names.of(id) ?? '' }))
      .filter(({ label }) => label)
      .toSorted((a, b) => byLabel(a.label, b.label))
  )
}

const chosenLanguage = (): string =>
  document.cookie
    .split('; ')
    .find((cookie) => cookie.startsWith(`${LANGUAGE_COOKIE}=`))
    ?.slice(LANGUAGE_COOKIE.length + 1) ?? OF_BROWSER

/** The server reads the cookie, because it serves the texts. The Cookie Store API requires a secure context. */
const storeLanguage = (id: string): void => {
  const seconds = id === OF_BROWSER ? 0 : COOKIE_SECONDS
  const secure = location.protocol === 'https:' ? '; secure' : ''
  document.cookie = `${LANGUAGE_COOKIE}=${id}; path=/; max-age=${seconds}; samesite=lax${secure}`
}

const COUNTRIES = countries()
const TIME_ZONES = Intl.supportedValuesOf('timeZone').map((id) => ({
  id,
  label: id.replaceAll('_', ' '),
}))

/** Each change loads the page anew, with the texts and formats that were chosen. Drafts are kept. */
const andReload =
  (store: (id: string) => void) =>
  (id: string): void => {
    store(id)
    location.reload()
  }

const orNone = (id: string): string | undefined => (id === OF_BROWSER ? undefined : id)

export const LanguageChoice = () => (
  <section className="card stack-small">
    <h2>{texts.languageTitle}</h2>
    <Select
      label={texts.language}
      options={[
        { id: OF_BROWSER, label: texts.ofBrowser },
        ...LANGUAGES.map((id) => ({ id: id as string, label: texts.languages[id] })),
      ]}
      value={chosenLanguage()}
      onChange={andReload(storeLanguage)}
    />
    <Select
      label={texts.region}
      options={[{ id: OF_BROWSER, label: texts.ofBrowser }, ...COUNTRIES]}
      value={chosenRegion ?? OF_BROWSER}
      onChange={andReload((id) => storeRegion(orNone(id)))}
    />
    <Select
      label={texts.timeZone}
      options={[{ id: OF_BROWSER, label: texts.ofDevice }, ...TIME_ZONES]}
      value={chosenTimeZone ?? OF_BROWSER}
      onChange={andReload((id) => storeTimeZone(orNone(id)))}
    />
    <p className="quiet small">
      {texts.formats(formatDateTime(new Date().toISOString()), number(EXAMPLE_NUMBER))}
    </p>
  </section>
)
