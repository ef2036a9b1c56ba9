import { describe, expect } from 'bun:test'
import { browserTest } from '../browser/support.ts'
import { newVerifiedUser } from '../harness/http.ts'
import { newUser, request, useServer } from '../harness/server.ts'
import { useConsole } from './support.ts'

const cases: [turnedOff: string, shown: string[], hidden: string[]][] = [
  ['', ['Provisioning', 'Webhooks'], []],
  ['-scim', ['Webhooks'], ['Provisioning']],
  ['-scim,-webhooks', [], ['Provisioning', 'Webhooks']],
]
for (const [turnedOff, shown, hidden] of cases)
  describe(`a server with SVC_FEATURES="${turnedOff}"`, () => {
    const server = useServer({ SVC_FEATURES: turnedOff })
    const { open } = useConsole(server)

    browserTest('an organization has the sections of the features that are on', async () => {
      const owner = await newUser(server.current)
      const { body: org } = await request(server.current, 'POST', '/api/orgs', {
        token: owner.accessToken,
        body: { name: 'Boats' },
      })
      const page = await open(owner, `/people/organizations/${org.id}`)
      const section = (name: string) => page.getByRole('heading', { level: 2, name, exact: true })
      await section('Members').waitFor()
      for (const name of shown) await section(name).waitFor()
      for (const name of hidden) expect(await section(name).count()).toBe(0)
    })
  })

describe('a server without billing', () => {
  const server = useServer({ SVC_FEATURES: '-billing' })
  const { open } = useConsole(server)

  browserTest('usage has its limits, and neither credits nor tiers', async () => {
    const user = await newUser(server.current)
    const page = await open(user, '/usage')
    await page.getByRole('meter', { name: 'Messages' }).waitFor()
    const links = page.getByRole('navigation', { name: 'Usage and billing', exact: true })
    expect(await links.getByRole('link').allTextContents()).toEqual(['Usage', 'By day'])
  })
})

describe('a server without automation, people and webhooks', () => {
  const server = useServer({ SVC_FEATURES: '-automation,-people,-webhooks' })
  const { open } = useConsole(server)

  browserTest('their areas, screens and actions are not shown, and no request fails', async () => {
    const user = await newVerifiedUser(server.current)
    const refused: string[] = []
    const page = await open(user, '/', {}, async (opened) => {
      opened.on('response', (response) => {
        if (response.status() === 404) refused.push(response.url())
      })
    })
    const links = async (name: string) =>
      page.getByRole('navigation', { name, exact: true }).getByRole('link').allTextContents()
    expect(await links('Main')).not.toContain('Automation')
    await page.keyboard.press('g')
    await page.keyboard.press('t')
    await page.keyboard.press('g')
    await page.keyboard.press('p')
    await page.getByRole('heading', { level: 1, name: 'Organizations' }).waitFor()
    expect(await links('People')).toEqual(['Organizations', 'Email'])
    expect(refused).toEqual([])
  })
})
