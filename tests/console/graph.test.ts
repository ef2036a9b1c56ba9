import { beforeAll, describe, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { memoryGraph, rememberBatch } from '../../shared/contract/index.ts'
import type { Remember } from '../../shared/contract/memories.ts'
import { browserTest, heading } from '../browser/support.ts'
import { eventually } from '../harness/eventually.ts'
import { newVerifiedUser } from '../harness/http.ts'
import {
  cookieValue,
  newUser,
  PASSWORD,
  request,
  type TestUser,
  useServer,
} from '../harness/server.ts'
import { expectAccessible, useConsole } from './support.ts'

const server = useServer()
const { open, expectProblems } = useConsole(server)

const HOSTILE = `<img src=x onerror="alert(1)"> مرحبا 🎉`
const LONG = 'long '.repeat(6_400).trim()
const GROUPS = [
  'The spinnaker tore near the harbour mouth.',
  'We moored beside a rusty trawler.',
  'Varnish for the tiller comes in tins.',
  'Rye needs a longer proof than wheat.',
  'The oven stone cracked on Sunday.',
  'Salt slows the yeast down.',
]
const BRIDGE = 'Salted spinnaker crust, said the baker of rye, near the harbour oven.'

const memories = (): Pick<Remember, 'content' | 'thread' | 'occurred_at'>[] => [
  ...GROUPS.map((content, i) => ({ content, thread: i < 3 ? 'sailing' : 'baking' })),
  { content: BRIDGE },
  { content: HOSTILE, thread: 'sailing', occurred_at: '2020-05-01T00:00:00Z' },
  { content: LONG, thread: 'baking' },
]

/** A verified user whose memories are linked. */
const newGraph = async (): Promise<TestUser> => {
  const user = await newVerifiedUser(server.current)
  await user.client.call(rememberBatch, { body: { memories: memories() } })
  // The first request of an owner waits until the links are computed.
  for (let nodes = 0; nodes < memories().length; )
    nodes = (await user.client.call(memoryGraph, { query: { limit: 200 } })).node_count
  return user
}

/** Software rendering warns that it reads pixels slowly. */
const acceptDrawing = () => expectProblems(/GL Driver Message/)

const drawn = (page: Page) => page.locator('.graph-canvas[data-done=true] canvas').first().waitFor()

/** Waits until an input has changed the drawing. */
const changesDrawing = async (page: Page, input: () => Promise<void>): Promise<void> => {
  const picture = () => page.locator('.graph-canvas').screenshot()
  const before = await picture()
  await input()
  await eventually(async () => !before.equals(await picture()))
}

let user: TestUser

/** Opens a place with a session of its own, because a refresh cookie is valid in one browser. */
const openGraph = async (path: string): Promise<Page> => {
  const body = { email: user.email, password: PASSWORD }
  const { cookie } = await request(server.current, 'POST', '/api/auth/signin', { body })
  return open({ refreshToken: cookieValue(cookie) }, path)
}

beforeAll(async () => {
  user = await newGraph()
}, 120_000)

describe('the drawing of the graph', () => {
  browserTest(
    'a memory is found, opened and left by keyboard alone, and a reload keeps it',
    async () => {
      acceptDrawing()
      const page = await openGraph('/graph')
      await drawn(page)
      await page.getByRole('combobox', { name: 'Find a memory' }).focus()
      await page.keyboard.type('spinnaker crust')
      await page.getByRole('option', { name: BRIDGE }).waitFor()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      const panel = page.getByRole('region', { name: 'Selected memory' })
      await panel.getByText(BRIDGE).first().waitFor()
      await page.reload()
      await panel.getByText(BRIDGE).first().waitFor()
      const link = panel.getByRole('link', { name: 'Open the memory' })
      const memory = new URL(page.url()).searchParams.get('memory')
      expect(await link.getAttribute('href')).toBe(`/app/memories/${memory}`)

      await page.getByRole('application').focus()
      for (const key of ['+', 'ArrowLeft', 'ArrowDown', '-', '0'])
        await changesDrawing(page, () => page.keyboard.press(key))
      await changesDrawing(page, () => page.getByRole('button', { name: 'Zoom in' }).press('Enter'))
      await panel.getByRole('button', { name: 'Close' }).press('Enter')
      await page.getByRole('region', { name: 'Bridge memories' }).waitFor()
      await expectAccessible(page)
    },
  )

  browserTest('a click on a node selects its memory', async () => {
    acceptDrawing()
    const page = await openGraph('/graph')
    await drawn(page)
    const bridges = page.getByRole('region', { name: 'Bridge memories' })
    await bridges.getByRole('button').first().click()
    // A selected memory moves to the middle; there a click selects it again after it was closed.
    const panel = page.getByRole('region', { name: 'Selected memory' })
    await panel.waitFor()
    const selected = new URL(page.url()).searchParams.get('memory')
    await panel.getByRole('button', { name: 'Close' }).click()
    await bridges.waitFor()
    const canvas = page.getByRole('application')
    const { x, y, width, height } = (await canvas.boundingBox()) ?? expect.unreachable()
    await page.mouse.click(x + width / 2, y + height / 2)
    await panel.waitFor()
    expect(new URL(page.url()).searchParams.get('memory')).toBe(selected)
  })

  browserTest('without WebGL, the list is shown with the reason', async () => {
    const page = await openGraph('/connect')
    await page.addInitScript(`HTMLCanvasElement.prototype.getContext = () => null`)
    await page.goto(`${server.current.baseUrl}/app/graph`)
    await page.getByText('This browser cannot draw the graph').waitFor()
    await page.getByRole('region', { name: 'Memories of the graph' }).waitFor()
  })
})

describe('the list of the graph', () => {
  browserTest('the same memories are listed as text, and filters stay after a reload', async () => {
    const page = await openGraph('/graph?view=list')
    const list = page.getByRole('region', { name: 'Memories of the graph' })
    await list.getByRole('link', { name: HOSTILE }).waitFor()
    await list.getByRole('row', { name: /Salted spinnaker.* bridge/ }).waitFor()
    expect(await list.getByRole('link').count()).toBe(memories().length)
    await expectAccessible(page)

    await page.getByRole('slider', { name: 'From' }).focus()
    await page.keyboard.press('ArrowRight')
    await list.getByRole('link', { name: HOSTILE }).waitFor({ state: 'detached' })
    const linkCount = async () => {
      const row = list.getByRole('row', { name: /rusty trawler/ })
      return Number(await row.getByRole('cell').nth(2).textContent())
    }
    const links = await linkCount()
    await page.getByRole('checkbox', { name: 'Same thread' }).focus()
    await page.keyboard.press('Space')
    await page.reload()
    await list.getByRole('link', { name: BRIDGE }).waitFor()
    expect(await linkCount()).toBeLessThan(links)
    expect(await list.getByRole('link').count()).toBe(memories().length - 1)
    expect(await page.getByRole('checkbox', { name: 'Same thread' }).isChecked()).toBe(false)
  })
})

describe('the graph without content', () => {
  browserTest(
    'an unverified user reads why it is not shown, a new one what to do next',
    async () => {
      const refused = await open(await newUser(server.current), '/graph')
      await refused.getByRole('button', { name: 'Write the link to the outbox' }).waitFor()
      const reason = refused.getByText('Verify your email address first, then try again.', {
        exact: true,
      })
      await reason.waitFor()
      const page = await open(await newVerifiedUser(server.current), '/graph')
      await heading(page, 'Graph')
      const add = page.getByRole('link', { name: 'Add a memory' })
      expect(await add.getAttribute('href')).toBe('/app/memories')
      await expectAccessible(page)
    },
  )

  browserTest('a retry loads the graph after the server was down', async () => {
    expectProblems(/ERR_CONNECTION_REFUSED|ERR_FAILED/)
    const page = await openGraph('/')
    await page.route('**/api/introspect/graph*', (route) => route.abort('connectionrefused'))
    await page.goto(`${server.current.baseUrl}/app/graph?view=list`)
    await page.getByText('The server does not answer').waitFor()
    await page.unroute('**/api/introspect/graph*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('region', { name: 'Memories of the graph' }).waitFor()
  })
})
