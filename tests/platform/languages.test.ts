import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { LANGUAGES } from '../../shared/languages.ts'
import { useSharedServer } from '../harness/server.ts'

setDefaultTimeout(120_000)
const server = useSharedServer()

const consoleOf = async (headers: Record<string, string>): Promise<string> => {
  const response = await fetch(`${server.current.url}/app`, { headers })
  expect(response.status).toBe(200)
  return response.text()
}

const languageOf = async (headers: Record<string, string>): Promise<string | undefined> =>
  /<html lang="(\w+)"/.exec(await consoleOf(headers))?.[1]

describe('the language of the console', () => {
  test.each([
    ['', 'en'],
    ['de', 'de'],
    ['de-AT,de;q=0.9,en;q=0.8', 'de'],
    ['fr-CH, fr;q=0.9, de;q=0.8, en;q=0.7', 'de'],
    ['fr', 'en'],
    ['en;q=0.8, de;q=0.9', 'de'],
    ['de;q=0, en', 'en'],
    ['de;q=high, en;q=0.1', 'en'],
    ['DE', 'de'],
    ['*', 'en'],
    [', ;;=,', 'en'],
  ])('for Accept-Language %p it is %p', async (accepted, language) => {
    expect(await languageOf({ 'accept-language': accepted })).toBe(language)
  })

  test('a long Accept-Language is read in part', async () => {
    expect(await languageOf({ 'accept-language': `${'x'.repeat(7_000)}, de` })).toBe('en')
  })

  test.each([
    ['svc_language=de', 'de'],
    ['other=1; svc_language=de; theme=dark', 'de'],
    ['svc_language=en', 'en'],
    ['svc_language=xx', 'en'],
    ['svc_language="><script>', 'en'],
    ['not_svc_language=de', 'en'],
  ])('the choice in the cookie %p is used before the header', async (cookie, language) => {
    const accepted = language === 'en' && cookie.endsWith('=en') ? 'de' : 'en'
    expect(await languageOf({ cookie, 'accept-language': accepted })).toBe(language)
  })

  test('each language has scripts and a service worker of its own, and all have the same styles', async () => {
    const workers = new Set<string>()
    const scripts = new Set<string>()
    const styles = new Set<string>()
    for (const language of LANGUAGES) {
      const headers = { 'accept-language': language }
      const page = await consoleOf(headers)
      scripts.add(/<script type="module" src="([^"]+)"/.exec(page)?.[1] ?? '')
      styles.add(/stylesheet" href="([^"]+)"/.exec(page)?.[1] ?? '')
      const worker = await fetch(`${server.current.url}/app/service-worker.js`, { headers })
      workers.add(await worker.text())
    }
    expect([scripts.size, workers.size, styles.size]).toEqual([
      LANGUAGES.length,
      LANGUAGES.length,
      1,
    ])
  })
})
