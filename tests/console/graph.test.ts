import { beforeAll, describe, expect } from 'bun:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { memoryGraph, rememberBatch } from '../../shared/contract/index.ts'
import type { Remember } from '../../shared/contract/memories.ts'
import { browserTest, focused, heading } from '../browser/support.ts'
import { eventually } from '../harness/eventually.ts'
import { newVerifiedUser } from '../harness/http.ts'
import {
  cookieValue,
  newUser,
  PASSWORD,
  request,
  type TestUser,
  useSharedServer,
} from '../harness/server.ts'
import { expectAccessible, useConsole } from './support.ts'

const server = useSharedServer()
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

const UNLINKED = 'Xylophone.'

const memories = (): Pick<Remember, 'content' | 'thread' | 'occurred_at'>[] => [
  ...GROUPS.map((content, i) => ({ content, thread: i < 3 ? 'sailing' : 'baking' })),
  { content: BRIDGE },
  { content: HOSTILE, thread: 'sailing', occurred_at: '2020-05-01T00:00:00Z' },
  { content: LONG, thread: 'baking' },
  { content: UNLINKED },
]

/** More threads than clusters that are shown side by side, of one topic each, one a day. */
const TOPICS = 30
const topics = (): Pick<Remember, 'content' | 'thread' | 'occurred_at'>[] =>
  Array.from({ length: TOPICS * 4 }, (_, i) => {
    const topic = Math.floor(i / 4)
    const day = new Date(Date.UTC(2024, 0, 1 + i)).toISOString()
    return {
      content: `Note ${i} of subject${topic} with detail${topic} and remark${i}.`,
      thread: `thread ${topic}`,
      occurred_at: day,
    }
  })

/** A verified user whose memories are linked. */
const newGraph = async (
  written: Pick<Remember, 'content' | 'thread' | 'occurred_at'>[],
): Promise<TestUser> => {
  const user = await newVerifiedUser(server.current)
  await user.client.call(rememberBatch, { body: { memories: written } })
  // The first request of an owner waits until the links are computed.
  for (let nodes = 0; nodes < written.length; )
    nodes = (await user.client.call(memoryGraph, { query: { limit: 200 } })).node_count
  return user
}

const drawn = (page: Page) => page.locator('.graph-group').first().waitFor()

const clusters = (page: Page) => page.getByRole('list', { name: 'Clusters', exact: true })

/** The names of the clusters with their numbers of memories. */
const clusterNames = (page: Page): Promise<string[]> =>
  clusters(page).locator('.graph-group > .visually-hidden').allTextContents()

/** A cluster of the drawing, by its name and number of memories. */
const cluster = (page: Page, name: string | RegExp) => clusters(page).getByRole('button', { name })

/** The boxes of the texts in the drawing that cover each other. */
const coveredTexts = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`(() => {
    const texts = [...document.querySelectorAll('.graph-group:not([data-hidden]), .graph-labels > span')]
    const boxes = texts.map((text) => ({ text: text.textContent, ...text.getBoundingClientRect().toJSON() }))
    return boxes.flatMap((a, i) => boxes.slice(i + 1).flatMap((b) =>
      a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1
        ? [a.text + ' / ' + b.text] : []))
  })()`)

/** Waits until an input has changed the drawing. */
const changesDrawing = async (page: Page, input: () => Promise<void>): Promise<void> => {
  const picture = () => page.locator('.graph-canvas').screenshot()
  const before = await picture()
  await input()
  await eventually(async () => !before.equals(await picture()))
}

let user: TestUser
let ofTopics: TestUser

/** Opens a place with a session of its own, because a refresh cookie is valid in one browser. */
const openGraph = async (
  path: string,
  owner = user,
  options: BrowserContextOptions = {},
): Promise<Page> => {
  const body = { email: owner.email, password: PASSWORD }
  const { cookie } = await request(server.current, 'POST', '/api/auth/signin', { body })
  return open({ refreshToken: cookieValue(cookie) }, path, options)
}

beforeAll(async () => {
  user = await newGraph(memories())
  ofTopics = await newGraph(topics())
}, 120_000)

describe('the drawing of the graph', () => {
  browserTest(
    'a memory is found, opened and left by keyboard alone, and a reload keeps it',
    async () => {
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
})

describe('the clusters of the graph', () => {
  browserTest(
    'clusters are closed first, have names of their own, and no text covers another',
    async () => {
      const page = await openGraph('/graph', ofTopics)
      await drawn(page)
      const buttons = clusters(page).getByRole('button')
      const count = await buttons.count()
      expect(count).toBeGreaterThan(1)
      expect(count).toBeLessThan(TOPICS)
      expect(await clusters(page).getByRole('button', { expanded: true }).count()).toBe(0)
      expect(await page.locator('.graph-labels > span').count()).toBe(0)
      const names = await clusterNames(page)
      expect(new Set(names).size).toBe(count)
      const numbers = names.map((name) => Number(/: (\d+) memories$/.exec(name)?.[1]))
      expect(numbers.reduce((sum, number) => sum + number, 0)).toBe(TOPICS * 4)
      expect(await page.locator('.graph-group:not([data-hidden])').count()).toBe(count)
      expect(await coveredTexts(page)).toEqual([])
      await expectAccessible(page)
    },
  )

  browserTest(
    'clusters are opened and closed by keyboard, in the drawing and in the list beside it',
    async () => {
      const page = await openGraph('/graph', ofTopics)
      await drawn(page)
      const first = clusters(page).getByRole('button').first()
      await first.focus()
      await page.keyboard.press('ArrowRight')
      const second = page.locator('.graph-group:focus')
      await second.waitFor()
      const name = `${await second.locator('.visually-hidden').textContent()}`
      await page.keyboard.press('Enter')
      await cluster(page, name).and(page.locator('[aria-expanded=true]')).waitFor()
      await page
        .locator('.graph-labels > span')
        .first()
        .or(page.locator('li:nth-child(3) .graph-group'))
        .first()
        .waitFor()
      expect(await coveredTexts(page)).toEqual([])
      const list = page.getByRole('region', { name: 'List of clusters' })
      await list.getByRole('button', { expanded: true }).first().waitFor()
      await page.reload()
      await cluster(page, name).and(page.locator('[aria-expanded=true]')).waitFor()
      await cluster(page, name).focus()
      await page.keyboard.press('Escape')
      await cluster(page, name).and(page.locator('[aria-expanded=false]')).waitFor()
      await focused(cluster(page, name))

      const entry = list.getByRole('button').first()
      await entry.press('Enter')
      await list.getByRole('button', { expanded: true }).first().waitFor()
      expect(await clusters(page).getByRole('button', { expanded: true }).count()).toBe(1)
      await expectAccessible(page)
    },
  )

  browserTest('a click opens one in its place, and the memory of another is selected', async () => {
    const page = await openGraph('/graph')
    await drawn(page)
    const apart = cluster(page, 'Without links: 1 memory')
    await apart.click()
    await page.locator('.graph-labels').getByText(UNLINKED).waitFor()
    const { x, y, width, height } =
      (await page.getByRole('application').boundingBox()) ?? expect.unreachable()
    await page.mouse.click(x + width / 2, y + height / 2)
    const panel = page.getByRole('region', { name: 'Selected memory' })
    await panel.getByText('This memory has no links.').waitFor()
  })

  browserTest('memories without links are apart, with their number', async () => {
    const page = await openGraph('/graph')
    await drawn(page)
    await cluster(page, 'Without links: 1 memory').waitFor()
    const list = page.getByRole('region', { name: 'List of clusters' })
    await list.getByRole('button', { name: /Without links/ }).press('Enter')
    await list.getByRole('button', { name: UNLINKED }).waitFor()
  })
})

describe('the playback of the graph', () => {
  const shown = async (page: Page): Promise<number> => {
    const names = await clusterNames(page)
    return names.reduce((sum, name) => sum + Number(/: (\d+) memor(?:y|ies)$/.exec(name)?.[1]), 0)
  }

  browserTest('plays the memories in the order of their times until it is paused', async () => {
    const page = await openGraph('/graph', ofTopics, { reducedMotion: 'no-preference' })
    await drawn(page)
    await page.getByRole('button', { name: 'Play' }).press('Enter')
    await eventually(async () => {
      const count = await shown(page)
      return count > 0 && count < TOPICS * 4
    })
    const before = await shown(page)
    await eventually(async () => (await shown(page)) > before)
    await page.getByRole('button', { name: 'Pause' }).press('Enter')
    await page.waitForURL(/[?&]to=/)
    const paused = await shown(page)
    expect(paused).toBeLessThan(TOPICS * 4)
    await page.reload()
    await drawn(page)
    expect(await shown(page)).toBe(paused)
  })

  browserTest(
    'moves by steps and the keys of the slider only, where less motion is asked for',
    async () => {
      const page = await openGraph('/graph', ofTopics)
      await drawn(page)
      await page.getByText('This device asks for less motion').waitFor()
      expect(await page.getByRole('button', { name: 'Play' }).count()).toBe(0)
      await page.getByRole('button', { name: 'Earlier' }).press('Enter')
      await eventually(async () => (await shown(page)) < TOPICS * 4)
      const earlier = await shown(page)
      await page.getByRole('slider', { name: 'To' }).focus()
      await page.keyboard.press('Home')
      await eventually(async () => (await shown(page)) < earlier)
    },
  )
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
