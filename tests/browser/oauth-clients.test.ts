import { describe, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { newUser, request, useServer } from '../harness/server.ts'
import { askTokens, authorizePath, newProof, opens, register } from '../mcp/oauth-support.ts'
import { startClient } from './oauth-client.ts'
import { browserTest, expectGoodPage, heading, signIn, useBrowser } from './support.ts'

const server = useServer()
const { visit } = useBrowser(server)

/** Whether the button receives clicks right after the page appears, or later. */
const isHit = (page: Page, when: 'at once' | 'later'): Promise<boolean> =>
  page.evaluate<boolean>(`(() => {
    const button = document.querySelector('button.decisive')
    button.style.animation = 'none'
    button.offsetWidth
    button.style.animation = ''
    const [settling] = button.getAnimations()
    settling.pause()
    if (${when === 'later'}) settling.finish()
    const { x, y, width, height } = button.getBoundingClientRect()
    return document.elementFromPoint(x + width / 2, y + height / 2) === button
  })()`)

describe('authorizing an OAuth client', () => {
  browserTest(
    'the user signs in, sees the app and its redirect target, and allows it',
    async () => {
      await using client = startClient()
      const user = await newUser(server.current)
      const org = await request(server.current, 'POST', '/api/orgs', {
        token: user.accessToken,
        body: { name: 'Herons & Co' },
      })
      expect(org.status).toBe(201)
      const client_id = await register(server.current, {
        client_name: 'Kingfisher',
        redirect_uris: [client.redirect],
      })
      const { verifier, challenge } = newProof()
      const path = authorizePath({
        client_id,
        code_challenge: challenge,
        redirect_uri: client.redirect,
      })
      const page = await visit({}, client.origins)
      await page.goto(`${server.current.baseUrl}${path}`)
      await heading(page, 'Sign in')
      await expectGoodPage(page)
      await signIn(page, user.email)

      await heading(page, 'Allow Kingfisher to use your memory?')
      await expectGoodPage(page)
      expect(await page.locator('dl').textContent()).toContain(new URL(client.redirect).host)
      const choice = page.getByLabel('Whose memory')
      expect(await choice.locator('option').allTextContents()).toEqual(['Only mine', 'Herons & Co'])
      await choice.selectOption('Herons & Co')
      // The second click of a double click on the previous page has no effect.
      expect(await isHit(page, 'at once')).toBe(false)
      expect(await isHit(page, 'later')).toBe(true)
      await page.getByRole('button', { name: 'Allow' }).click()
      await heading(page, 'Back in the app')

      const { body } = await askTokens(server.current, {
        grant_type: 'authorization_code',
        client_id,
        code: (await client.received).get('code') ?? '',
        code_verifier: verifier,
        redirect_uri: client.redirect,
      })
      expect(await opens(server.current, body.access_token)).toBe(true)
    },
  )

  browserTest('the user denies the request, or returns from an invalid one', async () => {
    await using client = startClient()
    const user = await newUser(server.current)
    const client_id = await register(server.current, { redirect_uris: [client.redirect] })
    const parameters = { client_id, redirect_uri: client.redirect }
    const page = await visit({}, client.origins)
    const code_challenge = newProof().challenge
    await page.goto(`${server.current.baseUrl}${authorizePath({ ...parameters, code_challenge })}`)
    await signIn(page, user.email)
    await page.getByRole('button', { name: 'Deny' }).click()
    await heading(page, 'Back in the app')
    expect((await client.received).get('error')).toBe('access_denied')

    await page.goto(`${server.current.baseUrl}${authorizePath(parameters)}`)
    await heading(page, 'Heron sent an invalid authorization request')
    await expectGoodPage(page)
    await page.getByRole('link', { name: 'return to' }).click()
    await heading(page, 'Back in the app')
  })
})
