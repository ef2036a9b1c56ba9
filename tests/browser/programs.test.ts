import { describe, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { newUser, request, useServer } from '../harness/server.ts'
import { askTokens, authorizePath, newProof, opens, register } from '../mcp/oauth-support.ts'
import { browserTest, expectGoodPage, heading, signIn, useBrowser } from './support.ts'

const server = useServer()
const { visit } = useBrowser(server)

/** A program that listens on this machine, and then sends the browser on to a page of its own. */
const startProgram = () => {
  const came = Promise.withResolvers<URLSearchParams>()
  const program: Bun.Server<undefined> = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: (request): Response => {
      const url = new URL(request.url)
      if (url.pathname === '/icon') return new Response(null, { status: 204 })
      if (url.pathname === '/done') return html('<h1>Back in the program</h1>')
      came.resolve(url.searchParams)
      // From another host of this machine: whatever watches the form would watch this too.
      return Response.redirect(`http://localhost:${program.port}/done`)
    },
  })
  const origins = [`http://127.0.0.1:${program.port}`, `http://localhost:${program.port}`]
  return {
    origins,
    redirect: `${origins[0]}/callback`,
    came: came.promise,
    [Symbol.asyncDispose]: () => program.stop(true),
  }
}

/** Whether a click hits the button: when the page has just come, or once it has been there for a while. */
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

const html = (body: string) =>
  new Response(`<link rel="icon" href="/icon">${body}`, {
    headers: { 'content-type': 'text/html' },
  })

describe('a program asks to be let in', () => {
  browserTest('a person signs in, sees who asks and where it leads, and allows it', async () => {
    await using program = startProgram()
    const user = await newUser(server.current)
    const org = await request(server.current, 'POST', '/api/orgs', {
      token: user.accessToken,
      body: { name: 'Herons & Co' },
    })
    expect(org.status).toBe(201)
    const client_id = await register(server.current, {
      client_name: 'Kingfisher',
      redirect_uris: [program.redirect],
    })
    const { verifier, challenge } = newProof()
    const path = authorizePath({
      client_id,
      code_challenge: challenge,
      redirect_uri: program.redirect,
    })
    const page = await visit({}, program.origins)
    await page.goto(`${server.current.baseUrl}${path}`)
    await heading(page, 'Sign in')
    await expectGoodPage(page)
    await signIn(page, user.email)

    await heading(page, 'Allow Kingfisher to use your memory?')
    await expectGoodPage(page)
    expect(await page.locator('dl').textContent()).toContain(new URL(program.redirect).host)
    const choice = page.getByLabel('Whose memory')
    expect(await choice.locator('option').allTextContents()).toEqual(['Mine alone', 'Herons & Co'])
    await choice.selectOption('Herons & Co')
    // A second click on what was here before falls upon nothing.
    expect(await isHit(page, 'at once')).toBe(false)
    expect(await isHit(page, 'later')).toBe(true)
    await page.getByRole('button', { name: 'Allow' }).click()
    await heading(page, 'Back in the program')

    const { body } = await askTokens(server.current, {
      grant_type: 'authorization_code',
      client_id,
      code: (await program.came).get('code') ?? '',
      code_verifier: verifier,
      redirect_uri: program.redirect,
    })
    expect(await opens(server.current, body.access_token)).toBe(true)
  })

  browserTest('a person denies it, or goes back from what is wrong with it', async () => {
    await using program = startProgram()
    const user = await newUser(server.current)
    const client_id = await register(server.current, { redirect_uris: [program.redirect] })
    const parameters = { client_id, redirect_uri: program.redirect }
    const page = await visit({}, program.origins)
    const code_challenge = newProof().challenge
    await page.goto(`${server.current.baseUrl}${authorizePath({ ...parameters, code_challenge })}`)
    await signIn(page, user.email)
    await page.getByRole('button', { name: 'Deny' }).click()
    await heading(page, 'Back in the program')
    expect((await program.came).get('error')).toBe('access_denied')

    await page.goto(`${server.current.baseUrl}${authorizePath(parameters)}`)
    await heading(page, 'Heron asked for access in a way that does not work')
    await expectGoodPage(page)
    await page.getByRole('link', { name: 'go back to' }).click()
    await heading(page, 'Back in the program')
  })
})
