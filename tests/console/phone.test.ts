import { describe, expect } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import { createInvite, createOrg, rememberBatch } from '../../shared/contract/index.ts'
import { browserTest } from '../browser/support.ts'
import { newVerifiedUser } from '../harness/http.ts'
import { newUser, useSharedServer } from '../harness/server.ts'
import { expectAccessible, useConsole } from './support.ts'

const server = useSharedServer()
const { open } = useConsole(server)

const PHONE = { viewport: { width: 360, height: 740 } }

/** Whether an element is wholly within the width of the screen, and not cut by what it is in. */
const expectInView = async (element: Locator): Promise<void> => {
  await element.waitFor()
  const box = await element.boundingBox()
  if (!box) throw new Error('it is not shown')
  expect(box.x).toBeGreaterThanOrEqual(0)
  expect(box.x + box.width).toBeLessThanOrEqual(PHONE.viewport.width)
}

const expectNoSidewaysScroll = async (page: Page, region: Locator): Promise<void> => {
  expect(await region.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0)
  await expectAccessible(page)
}

describe('on a phone', () => {
  browserTest('the columns of a table and its actions are on the screen', async () => {
    const user = await newUser(server.current)
    const page = await open(user, '/connect/keys', PHONE)
    await expectInView(page.getByRole('button', { name: 'Revoke test' }))
    const row = page.getByRole('row').filter({ hasText: 'test' }).last()
    for (const cell of await row.getByRole('cell').all()) await expectInView(cell)
    const labels = await page.evaluate<string[]>(
      `[...document.querySelectorAll('.table td')].map((cell) => getComputedStyle(cell, '::before').content)`,
    )
    expect(labels.filter((label) => /Last used|Expires/.test(label))).toHaveLength(2)
    await expectNoSidewaysScroll(page, page.getByRole('region', { name: 'API keys' }))
  })

  browserTest('an address is not broken within its words', async () => {
    const user = await newVerifiedUser(server.current)
    const { id } = await user.client.call(createOrg, { body: { name: 'Analytics' } })
    const email = 'antonia.lindqvist@example.org'
    await user.client.call(createInvite, {
      params: { org_id: id },
      body: { email, role: 'member' },
    })
    const page = await open(user, `/people/organizations/${id}`, PHONE)
    const address = page.getByText(email)
    await expectInView(address)
    const lines = await page.evaluate<number>(`(() => {
      const address = [...document.querySelectorAll('.table bdi')].find(
        ({ textContent }) => textContent === '${email}')
      const range = document.createRange()
      range.selectNodeContents(address)
      return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size
    })()`)
    expect(lines).toBe(1)
  })

  browserTest('all screens of an area can be chosen', async () => {
    const page = await open(await newUser(server.current), '/connect', PHONE)
    const links = page.getByRole('navigation', { name: 'Connect' }).getByRole('link')
    expect(await links.count()).toBeGreaterThan(3)
    for (const link of await links.all()) await expectInView(link)
  })

  browserTest('the drawing of the graph comes first, and its controls open', async () => {
    const user = await newVerifiedUser(server.current)
    await user.client.call(rememberBatch, {
      body: { memories: [{ content: 'We moored beside a trawler.' }, { content: 'Rye is slow.' }] },
    })
    const page = await open(user, '/graph', PHONE)
    const drawing = page.locator('.graph-drawing')
    await page.locator('.graph-group').first().waitFor()
    const box = (await drawing.boundingBox()) ?? expect.unreachable()
    expect(box.y).toBeLessThan(PHONE.viewport.height * 0.3)
    expect(box.y + box.height).toBeLessThanOrEqual(PHONE.viewport.height)
    expect(await page.getByRole('checkbox').first().isVisible()).toBe(false)
    await page.getByText('Search and filters').click()
    await expectInView(page.getByRole('checkbox').first())
    await expectAccessible(page)
  })
})
