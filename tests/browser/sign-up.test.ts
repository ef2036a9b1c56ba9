import { beforeAll, describe, expect } from 'bun:test'
import { newAdmin, setSettings } from '../admin/settings-support.ts'
import { PASSWORD, type TestUser, uniqueEmail, useServer } from '../harness/server.ts'
import { browserTest, expectGoodPage, heading, useBrowser } from './support.ts'

const server = useServer()
const { visit } = useBrowser(server)
let admin: TestUser
beforeAll(async () => {
  admin = await newAdmin(server.current)
}, 120_000)

const languages = {
  en: {
    create: 'Create an account',
    have: 'Already have an account? Sign in',
    signIn: 'Sign in',
    repeat: 'Repeat password',
    button: 'Create account',
  },
  de: {
    create: 'Konto erstellen',
    have: 'Du hast schon ein Konto? Anmelden',
    signIn: 'Anmelden',
    repeat: 'Passwort wiederholen',
    button: 'Konto erstellen',
  },
}
type Language = keyof typeof languages

/** The texts of a policy: who can sign up, and the refusal of others. */
const policies: {
  mode: string | null
  domains: string | null
  texts: Record<Language, { note?: string; refusal?: string }>
}[] = [
  { mode: null, domains: null, texts: { en: {}, de: {} } },
  {
    mode: null,
    domains: 'staff.example.org',
    texts: {
      en: {
        note: 'You need an address at a domain of this server, or an invitation.',
        refusal: 'Accounts of this server need an address at one of its domains',
      },
      de: {
        note: 'Du brauchst eine Adresse bei einer Domain dieses Servers oder eine Einladung.',
        refusal: 'Konten dieses Servers brauchen eine Adresse bei einer seiner Domains',
      },
    },
  },
  {
    mode: 'invite',
    domains: null,
    texts: {
      en: {
        note: 'You need an invitation: use the address that was invited.',
        refusal: 'A new account needs an invitation to this address',
      },
      de: {
        note: 'Du brauchst eine Einladung: Nimm die eingeladene Adresse.',
        refusal: 'Ein neues Konto braucht eine Einladung an diese Adresse',
      },
    },
  },
  {
    mode: 'invite',
    domains: 'staff.example.org',
    texts: {
      en: {
        note: 'You need an invitation, or an address at a domain of this server.',
        refusal: 'A new account needs an invitation to this address',
      },
      de: {
        note: 'Du brauchst eine Einladung oder eine Adresse bei einer Domain dieses Servers.',
        refusal: 'Ein neues Konto braucht eine Einladung an diese Adresse',
      },
    },
  },
]
const cases = policies.flatMap(({ mode, domains, texts }) =>
  (['en', 'de'] as const).map((locale) => ({ mode, domains, locale, ...texts[locale] })),
)

/** Opens the sign-up page of a server with a policy. */
const open = async (mode: string | null, domains: string | null, locale: Language) => {
  const values = { SVC_SIGNUP: mode, SVC_SIGNUP_DOMAINS: domains }
  await setSettings(server.current, admin, values)
  const page = await visit({ locale })
  await page.goto(`${server.current.baseUrl}/signup`)
  expect(await page.locator('html').getAttribute('lang')).toBe(locale)
  return page
}

describe('the sign-up page says who can sign up', () => {
  for (const { mode, domains, locale, note, refusal } of cases)
    browserTest(
      `while it is ${mode ?? 'open'}${domains ? ' with domains' : ''}, in ${locale}`,
      async () => {
        const { create, have, signIn, repeat, button } = languages[locale]
        const page = await open(mode, domains, locale)
        await heading(page, create)
        expect(await page.title()).toStartWith(create)
        const quiet = page.locator('main > p.quiet')
        expect(await quiet.allInnerTexts()).toEqual(note ? [note, have] : [have])
        await expectGoodPage(page)

        await page.locator('input[type=email]').fill(uniqueEmail())
        await page.locator('input[autocomplete=new-password]').first().fill(PASSWORD)
        await page.getByLabel(repeat).fill(refusal ? PASSWORD : 'another')
        await page.getByRole('button', { name: button }).click()
        const mismatch = {
          en: 'Passwords do not match',
          de: 'Die Passwörter stimmen nicht überein',
        }
        expect(await page.getByRole('alert').textContent()).toBe(refusal ?? mismatch[locale])
        await expectGoodPage(page)
        await page.getByRole('link', { name: signIn }).click()
        await heading(page, signIn)
        await page.getByRole('link', { name: create }).waitFor()
      },
    )
})

describe('the sign-up page of a server without new accounts', () => {
  const texts = {
    en: ['No new accounts', 'This server takes no new accounts. Ask its operator for one.'],
    de: [
      'Keine neuen Konten',
      'Dieser Server nimmt keine neuen Konten an. Frage seinen Betreiber nach einem.',
    ],
  } as const
  for (const locale of ['en', 'de'] as const)
    browserTest(`says so and leads to the sign-in page, in ${locale}`, async () => {
      const [title, text] = texts[locale]
      const { create, have, signIn } = languages[locale]
      const page = await open('closed', null, locale)
      await heading(page, title)
      expect(await page.title()).toStartWith(title)
      expect(await page.locator('main > p').allInnerTexts()).toEqual([text, have])
      await expectGoodPage(page)
      await page.getByRole('link', { name: signIn }).click()
      await heading(page, signIn)
      expect(await page.getByRole('link', { name: create }).count()).toBe(0)
    })
})

browserTest(
  'a short page lies over the drawing on a phone, and text keeps its distance',
  async () => {
    const top = async (mode: string | null) => {
      const page = await open(mode, null, 'de')
      await page.setViewportSize({ width: 375, height: 760 })
      const [card, art, title, form] = await Promise.all(
        ['main', '.art', 'h1', 'form'].map(async (each) => {
          const place = page.locator(each)
          return (await place.count()) > 0 ? place.first().boundingBox() : null
        }),
      )
      expect(card?.y).toBeLessThan(art?.height ?? 0)
      if (form && title) expect(form.y - title.y - title.height).toBeGreaterThan(14)
      return card?.y
    }
    expect(await top('closed')).toBe(await top(null))
  },
)
