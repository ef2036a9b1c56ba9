import { describe, expect, test } from 'bun:test'
import { startLogin } from '../browser/support.ts'
import { newUser, request, useSharedServer } from '../harness/server.ts'

const server = useSharedServer()

const open = (path: string, headers: Record<string, string> = {}) =>
  request(server.current, 'GET', path, { headers })

/** The language of a page and its first heading. */
const read = async (path: string, headers?: Record<string, string>) => {
  const { text } = await open(path, headers)
  return [/<html lang="([^"]*)">/.exec(text)?.[1], /<h1>([^<]*)<\/h1>/.exec(text)?.[1]]
}
const SIGN_IN = '/api/auth/app'
const ENGLISH = ['en', 'Sign in']
const GERMAN = ['de', 'Anmelden']

describe('the language of a page', () => {
  test.each([
    ['de', GERMAN],
    ['DE', GERMAN],
    ['de-AT', GERMAN],
    ['de-CH,fr;q=0.8,en;q=0.5', GERMAN],
    ['en;q=0.8, de;q=0.9', GERMAN],
    ['fr;q=1, de;q=0.5', GERMAN],
    ['fr', ENGLISH],
    ['*', ENGLISH],
    ['de;q=0', ENGLISH],
    ['de;q=zero, en', ENGLISH],
    ['en-US,en;q=0.9,de;q=0.8', ENGLISH],
    ['', ENGLISH],
    [',;=,q', ENGLISH],
    [`fr,${'x'.repeat(7_990)},de`, ENGLISH],
    [`de,${'en;q=0.9,'.repeat(888)}`, GERMAN],
  ])('a page follows Accept-Language: %p', async (language, expected) => {
    expect(await read(SIGN_IN, { 'accept-language': language })).toEqual(expected)
  })

  test('a page is English without a header', async () => {
    expect(await read(SIGN_IN)).toEqual(ENGLISH)
  })

  test('a page has the language of the cookie before that of the header', async () => {
    const header = { 'accept-language': 'en-US,en;q=0.9' }
    expect(await read(SIGN_IN, { ...header, cookie: 'svc_language=de' })).toEqual(GERMAN)
    expect(await read(SIGN_IN, { ...header, cookie: 'a=b; svc_language=de; c=d' })).toEqual(GERMAN)
    const german = { 'accept-language': 'de' }
    expect(await read(SIGN_IN, { ...german, cookie: 'svc_language=en' })).toEqual(ENGLISH)
  })

  test.each(['fr', 'deutsch', '', '"><script>', 'de"', '__proto__'])(
    'a page has the language of the header with the unknown cookie %p',
    async (value) => {
      const cookie = `svc_language=${value}`
      expect(await read(SIGN_IN, { cookie, 'accept-language': 'de' })).toEqual(GERMAN)
      expect(await read(SIGN_IN, { cookie, 'accept-language': 'fr' })).toEqual(ENGLISH)
    },
  )

  test('the page of an unknown address has the language', async () => {
    const accept = 'text/html'
    expect(await read('/nowhere', { accept, 'accept-language': 'de' })).toEqual([
      'de',
      'Seite nicht gefunden',
    ])
    expect(await read('/nowhere', { accept })).toEqual(['en', 'Page not found'])
  })

  test('the page of a failed request has the language, and the API is English', async () => {
    const headers = { 'accept-language': 'de' }
    const page = await open('/api/auth/oauth/unknown/start', headers)
    expect(page.status).toBe(400)
    expect(page.text).toContain('<h1>Die Anfrage ist fehlgeschlagen</h1>')
    expect(page.text).toContain('<p role="alert">Der Anbieter ist unbekannt oder nicht')
    const api = await open('/api/auth/me', headers)
    expect(api.body).toEqual({ detail: 'Could not validate credentials' })
  })

  test('two readers at the same time each get their own', async () => {
    const languages = Array.from({ length: 40 }, (_, i) => (i % 2 ? 'de' : 'en'))
    const pages = await Promise.all(
      languages.map((language) => read('/reset', { 'accept-language': language })),
    )
    expect(pages.map(([language]) => language)).toEqual(languages)
    expect(new Set(pages.map(String))).toEqual(
      new Set(['en,Reset your password', 'de,Passwort zurücksetzen']),
    )
  })
})

describe('a German page', () => {
  const german = { 'accept-language': 'de' }

  /** Sends the form of a page. */
  const submit = (path: string, fields: Record<string, string>) =>
    request(server.current, 'POST', path, {
      body: new URLSearchParams(fields).toString(),
      headers: {
        ...german,
        origin: server.current.baseUrl,
        'content-type': 'application/x-www-form-urlencoded',
      },
    })

  test('a German page escapes values within a text', async () => {
    const email = "o'neil&{1}@example.com"
    const { status, text } = await submit(`${SIGN_IN}/mail-code`, { email })
    expect(status).toBe(200)
    expect(text).toContain(
      'Falls es für o&#39;neil&#38;{1}@example.com ein Konto gibt, haben wir einen Code dorthin gesendet.',
    )
  })

  test('a German page escapes the name of an app and has the German form of a date', async () => {
    const { refreshToken } = await newUser(server.current)
    const client_name = `"><img src=x onerror=alert(1)>{0}`
    const { user_code } = await startLogin(server.current, { client_name })
    const { text } = await request(
      server.current,
      'GET',
      `/api/auth/mcp/device?user_code=${user_code}`,
      { headers: { ...german, cookie: `refresh_token=${refreshToken}` } },
    )
    expect(text).toContain(
      '<h1>&#34;&#62;&#60;img src=x onerror=alert(1)&#62;{0} erlauben, dein Konto zu verwenden?</h1>',
    )
    expect(text).toMatch(/<dd>\d\d\.\d\d\.\d{4}, \d\d:\d\d UTC<\/dd>/)
  })

  test('a page shows an error in German, and the API returns the same error in English', async () => {
    const fields = { email: 'a@example.com', password: 'not the password' }
    const { status, text } = await submit(`${SIGN_IN}/signin`, fields)
    expect(status).toBe(401)
    expect(text).toContain('<p role="alert">E-Mail-Adresse oder Passwort ist falsch</p>')
    const api = await request(server.current, 'POST', '/api/auth/signin', {
      body: fields,
      headers: german,
    })
    expect(api.body).toEqual({ detail: 'Invalid email or password' })
  })

  test('a page shows the wait of a limit in German', async () => {
    const fields = { email: 'locked@example.com', password: 'not the password' }
    const alerts: string[] = []
    for (let i = 0; i < 12; i++) {
      const { text } = await submit(`${SIGN_IN}/signin`, fields)
      alerts.push(/<p role="alert">([^<]*)</.exec(text)?.[1] ?? '')
    }
    expect(alerts.at(-1)).toMatch(
      /^Zu viele fehlgeschlagene Anmeldungen\. Versuche es in \d+ Minuten noch einmal\.$/,
    )
  })

  test('the pricing page has the numbers and prices of the language', async () => {
    const { text } = await open('/pricing', german)
    for (const part of ['12 $ pro Monat', '10.000', 'kostenlos', '2 Credits', '1 Credit<'])
      expect(text.replaceAll('\u00a0', ' ')).toContain(part)
    const english = await open('/pricing')
    for (const part of ['$12 a month', '10,000', '2 credits']) expect(english.text).toContain(part)
  })
})
