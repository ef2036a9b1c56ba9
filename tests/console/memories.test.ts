import { describe, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import {
  deleteMemory,
  getMemory,
  listMemories,
  memoryFacets,
  recall,
  rememberBatch,
} from '../../shared/contract/index.ts'
import type { Explanation } from '../../shared/contract/recall.ts'
import { browserTest, heading } from '../browser/support.ts'
import { write as writeAndRead } from '../harness/facts.ts'
import { newUser, type TestUser, useSharedServer } from '../harness/server.ts'
import { consoleUrl, expectAccessible, useConsole, withClock } from './support.ts'

const server = useSharedServer()
const { open, expectProblems } = useConsole(server)

const write = async ({ client }: TestUser, contents: string[], fields: object = {}) => {
  const { memories } = await client.call(rememberBatch, {
    body: { memories: contents.map((content) => ({ content, ...fields })) },
  })
  return memories.map(({ memory_id }) => memory_id)
}

/** Whether a part of the words of the question was found. */
const isPart = ({ coverage }: Explanation) => coverage > 0 && coverage < 1

/** The field of the tags, which is the third with suggestions. */
const TAG_FIELD = `document.querySelectorAll('input[list]')[2]`
/** Chooses a suggestion as a browser does. */
const CHOOSE_TRAVEL = `(() => {
  const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')
  set.call(${TAG_FIELD}, 'travel')
  const event = { bubbles: true, inputType: 'insertReplacementText' }
  ${TAG_FIELD}.dispatchEvent(new InputEvent('input', event))
})()`
const READ_SUGGESTIONS = `[...${TAG_FIELD}.list.options].map((each) => [each.value, each.label])`

const list = (page: Page) => page.getByRole('grid', { name: 'Memories' })
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })

describe('the list of memories', () => {
  browserTest('a new account is led to the ways to get memories', async () => {
    const page = await open(await newUser(server.current), '/memories')
    await page.getByRole('heading', { name: 'Nothing remembered yet' }).waitFor()
    for (const name of ['Remember', 'Import', 'Connect an assistant'])
      await page.locator('.empty').getByRole('link', { name }).waitFor()
    await expectAccessible(page)
  })

  browserTest(
    'rows are selected, tagged, forgotten and brought back by keyboard alone',
    async () => {
      const user = await newUser(server.current)
      await write(user, ['one apple', 'two pears', 'three plums', 'four figs'], { tags: ['food'] })
      const page = await open(user, '/memories')
      await row(page, 'four figs').focus()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Space')
      await page.keyboard.press('Shift+ArrowDown')
      await page.getByText('2 selected').waitFor()
      await expectAccessible(page)

      await page.getByRole('button', { name: 'Add tag' }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('dialog').getByLabel('Tag').waitFor()
      await page.keyboard.type('fruit')
      await page.keyboard.press('Enter')
      for (const name of ['three plums', 'two pears'])
        await row(page, name).getByText('fruit').waitFor()
      const tagged = await user.client.call(listMemories, { query: { tag: 'fruit' } })
      expect(tagged.memories.map((m) => [m.content_text, m.tags])).toEqual([
        ['three plums', ['food', 'fruit']],
        ['two pears', ['food', 'fruit']],
      ])

      await page.keyboard.press('Control+a')
      await page.getByText('4 selected').waitFor()
      await page.keyboard.press('Escape')
      await page.keyboard.press('Home')
      await page.keyboard.press('Space')
      await page.getByRole('button', { name: 'Forget' }).focus()
      await page.keyboard.press('Enter')
      await row(page, 'four figs').waitFor({ state: 'detached' })
      await page.locator('tr:focus').waitFor()
      await page.getByRole('button', { name: 'Undo' }).focus()
      await page.keyboard.press('Enter')
      await row(page, 'four figs').waitFor()

      await row(page, 'four figs').focus()
      await page.keyboard.press('Enter')
      await heading(page, 'Memory')
    },
  )

  browserTest('the focus stays in the list when its row is removed later', async () => {
    const user = await newUser(server.current)
    await write(user, ['one apple', 'two pears'])
    const page = await open(user, '/memories')
    await row(page, 'two pears').focus()
    await page.keyboard.press('Space')
    // A busy machine draws a frame before the list has changed.
    await page.evaluate('window.requestAnimationFrame = (draw) => (queueMicrotask(draw), 0)')
    await page.getByRole('button', { name: 'Forget' }).focus()
    await page.keyboard.press('Enter')
    await row(page, 'two pears').waitFor({ state: 'detached' })
    await page.locator('tr:focus').getByText('one apple').waitFor()
  })

  browserTest('a list shows its total, its order, and filters by values that occur', async () => {
    const user = await newUser(server.current)
    await write(user, ['an old trip'], { occurred_at: '2001-02-03T12:00:00Z', tags: ['travel'] })
    await write(user, ['a plan'], {
      occurred_at: '2002-02-03T12:00:00Z',
      author: 'Ada',
      tags: ['work'],
    })
    await write(
      user,
      Array.from({ length: 130 }, (_, i) => `Note number ${i}`),
      { occurred_at: '1999-02-03T12:00:00Z', thread: 'x'.repeat(200), tags: ['bulk'] },
    )
    const page = await open(user, '/memories')
    await page.getByText('132 memories', { exact: true }).waitFor()
    // Stored today, whenever it happened.
    await row(page, 'Note number 129')
      .getByText(/ago|now|minute/)
      .waitFor()
    await page.getByRole('button', { name: /Last stored first/ }).press('Enter')
    await page.getByRole('option', { name: 'Last event first' }).press('Enter')
    await page.waitForURL(/sort=happened/)
    await page.getByRole('row').first().filter({ hasText: 'a plan' }).waitFor()
    await row(page, 'an old trip').getByText(/2001/).waitFor()

    await page.getByRole('button', { name: 'Filters', exact: true }).press('Enter')
    await expectAccessible(page)
    const tag = page.getByRole('combobox', { name: 'Tag' })
    expect(await page.evaluate<unknown>(READ_SUGGESTIONS)).toEqual([
      ['bulk', '130'],
      ['travel', '1'],
      ['work', '1'],
    ])
    await page.evaluate(CHOOSE_TRAVEL)
    await page.waitForURL(/tag=travel/)
    await page.getByText('1 memory', { exact: true }).waitFor()
    // A name that no memory has can be typed as before.
    await tag.fill('nothing')
    await tag.press('Enter')
    await page.getByText('No memory matches these filters').waitFor()
    await tag.fill('')
    await tag.press('Tab')
    await page.getByText('132 memories', { exact: true }).waitFor()
    await page.getByRole('button', { name: /Written by/ }).press('Enter')
    await page.getByRole('option', { name: 'You (132)' }).press('Enter')
    await page.waitForURL(/trust=user/)
  })

  browserTest('the chosen memory is shown beside the list, and opens from there', async () => {
    const user = await newUser(server.current)
    await write(user, ['# A plan\n\n- one\n- two <b>x</b>', 'A trip.'])
    const page = await open(user, '/memories')
    await page.setViewportSize({ width: 1500, height: 900 })
    const toggle = page.getByRole('switch', { name: /beside the list/ })
    await toggle.focus()
    await page.keyboard.press('Space')
    await row(page, 'A trip.').focus()
    const peek = page.getByRole('complementary', { name: 'The chosen memory' })
    await peek.getByText('A trip.').waitFor()
    await page.keyboard.press('ArrowDown')
    await peek.getByRole('heading', { name: 'A plan' }).waitFor()
    await peek.getByText('two <b>x</b>').waitFor()
    await row(page, 'A plan one two').waitFor()
    await expectAccessible(page)
    await row(page, 'A trip.').locator('a').click()
    await peek.getByText('A trip.').waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/memories\/[0-9a-f-]{36}/)
    await page.goBack()
    await peek.waitFor()
    await page.setViewportSize({ width: 900, height: 900 })
    await peek.waitFor({ state: 'detached' })
  })

  browserTest('filters are saved as a view, opened again and deleted with undo', async () => {
    const user = await newUser(server.current)
    await write(user, ['A trip.'], { tags: ['travel'] })
    await write(user, ['A plan.'], { tags: ['work'] })
    const page = await open(user, '/memories?tag=travel')
    await row(page, 'A trip.').waitFor()
    await page.getByRole('button', { name: 'Views' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Save this view' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Save this view' })
    await expectAccessible(page)
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Travels')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Travels' }).waitFor()
    await expectAccessible(page)

    await page.goto(consoleUrl(server.current, '/memories'))
    await row(page, 'A plan.').waitFor()
    await page.getByRole('button', { name: 'Views' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Travels' }).press('Enter')
    await page.waitForURL(/tag=travel/)
    await row(page, 'A plan.').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Travels' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Delete the view “Travels”' }).press('Enter')
    await page.getByText('Deleted the view “Travels”').waitFor()
    await page.getByRole('button', { name: 'Views' }).waitFor()
    await page.getByRole('button', { name: 'Undo' }).press('Enter')
    await page.getByRole('button', { name: 'Travels' }).waitFor()
  })

  browserTest('all that match are forgotten at once, loaded or not, and undone', async () => {
    const user = await newUser(server.current)
    for (let start = 0; start < 300; start += 100)
      await write(
        user,
        Array.from({ length: 100 }, (_, i) => `Note number ${start + i}`),
        { tags: ['bulk'] },
      )
    await write(user, ['It stays.'])
    const page = await open(user, '/memories?tag=bulk')
    await row(page, 'Note number 299').focus()
    await page.keyboard.press('Control+a')
    const button = page.getByRole('button', { name: 'Forget all 300 that match' })
    await button.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('alertdialog', { name: 'Forget 300 memories?' })
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Forget' }).press('Enter')
    await page.getByText('Forgot 300 memories').waitFor()
    await page.getByText('No memory matches these filters').waitFor()
    expect((await user.client.call(memoryFacets, { query: {} })).total).toBe(1)
    await page.getByRole('button', { name: 'Undo' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Restored 300 memories').waitFor()
    await row(page, 'Note number 299').waitFor()
  })

  browserTest('a bulk action is cancelled, and what failed stays selected', async () => {
    const user = await newUser(server.current)
    const ids = await write(
      user,
      Array.from({ length: 12 }, (_, i) => `Note number ${i}`),
    )
    const page = await open(user, '/memories')
    await row(page, 'Note number 11').focus()
    await page.keyboard.press('Control+a')
    const held = Promise.withResolvers<void>()
    const paths = new Set<string>()
    await page.route('**/api/memories/*', async (route) => {
      if (route.request().method() !== 'DELETE') return route.continue()
      const path = new URL(route.request().url()).pathname
      paths.add(path)
      await held.promise
      return path.endsWith(ids[11] ?? '')
        ? route.fulfill({ status: 500, json: { detail: 'Internal server error' } })
        : route.continue()
    })
    await page.getByRole('button', { name: 'Forget' }).press('Enter')
    await page.getByText('0 of 12…').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).press('Enter')
    held.resolve()
    await page.getByText('Cancelled: 8 memories not changed').waitFor()
    await page.getByText(/1 memory could not be changed: /).waitFor()
    await page.getByText('Forgot 3 memories').waitFor()
    await page.getByText('9 selected').waitFor()
    expect(paths.size).toBe(4)
    expect((await user.client.call(listMemories)).memories.length).toBe(9)
    await page.locator('tr:focus').waitFor()
    await page.unroute('**/api/memories/*')
    await page.getByRole('button', { name: 'Forget' }).press('Enter')
    await page.getByRole('heading', { name: 'Nothing remembered yet' }).waitFor()
  })

  browserTest(
    'a long list has few rows, loads pages while it scrolls, and keeps the last one in reach',
    async () => {
      const user = await newUser(server.current)
      await write(
        user,
        Array.from({ length: 450 }, (_, i) => `Note number ${i}`),
      )
      const page = await open(user, '/memories')
      await row(page, 'Note number 449').focus()
      expect(await list(page).getByRole('row').count()).toBeLessThan(60)
      while ((await page.getByText('Note number 0', { exact: true }).count()) === 0) {
        await page.keyboard.press('End')
        await page.keyboard.press('PageUp')
      }
      await page.keyboard.press('End')
      await page.getByText('450 memories').waitFor()
      expect(await list(page).getAttribute('aria-rowcount')).toBe('450')
      expect(await list(page).getByRole('row').count()).toBeLessThan(60)
    },
  )

  browserTest(
    'filters stay after a reload, and stored text of any kind is shown as text',
    async () => {
      const user = await newUser(server.current)
      const hostile = `<img src=x onerror="alert(1)"> ${'W'.repeat(300)} שלום 🎉`
      await write(user, [hostile], { tags: ['odd', 'x'.repeat(100)], thread: 'w'.repeat(200) })
      await write(user, ['plain'], { memory_type: 'preference' })
      const page = await open(user, '/memories')
      await page.getByRole('button', { name: 'Filters' }).click()
      await page.getByRole('combobox', { name: 'Tag' }).fill('odd')
      await page.keyboard.press('Enter')
      await row(page, 'plain').waitFor({ state: 'detached' })
      await page.reload()
      await row(page, '<img src=x').waitFor()
      expect(await row(page, 'plain').count()).toBe(0)
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Remove the filter Tag' }).click()
      await row(page, 'plain').waitFor()
      expect(new URL(page.url()).search).toBe('')

      await page.getByRole('button', { name: 'Type' }).click()
      await page.getByRole('option', { name: 'How-to' }).click()
      await page.getByRole('heading', { name: 'No memory matches these filters' }).waitFor()
      await page.goBack()
      await row(page, 'plain').waitFor()
    },
  )

  browserTest('the trash restores a memory and deletes one permanently', async () => {
    const user = await newUser(server.current)
    const [kept = '', erased = ''] = await write(user, ['forgotten note', 'useless note'])
    for (const memory_id of [kept, erased])
      await user.client.call(deleteMemory, { params: { memory_id } })
    const page = await open(user, '/memories')
    await page.getByRole('link', { name: 'Trash' }).click()
    await heading(page, 'Deleted memories')
    await row(page, 'useless note').getByRole('checkbox').click()
    await page.getByRole('button', { name: 'Delete permanently' }).click()
    await page.getByRole('alertdialog').waitFor()
    await expectAccessible(page)
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete permanently' }).click()
    await row(page, 'useless note').waitFor({ state: 'detached' })

    await page.getByRole('link', { name: 'forgotten note' }).click()
    await page.getByText('This memory is deleted.').waitFor()
    await page.getByRole('button', { name: 'Restore' }).click()
    await page.getByRole('button', { name: 'Edit' }).waitFor()
    const memory = await user.client.call(getMemory, { params: { memory_id: kept } })
    expect(memory.content_text).toBe('forgotten note')
    expectProblems(/404/)
  })

  browserTest('a server that is down is reported with a way to retry', async () => {
    const user = await newUser(server.current)
    await write(user, ['still here'])
    const page = await open(user, '/settings')
    expectProblems(/Failed|ERR_/)
    await page.route('**/api/memories?*', (route) => route.abort('connectionrefused'))
    await page.getByRole('link', { name: 'Memories' }).click()
    await page.getByRole('alert').getByText('The server does not answer').waitFor()
    await page.unroute('**/api/memories?*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await row(page, 'still here').waitFor()
  })
})

describe('the search among memories', () => {
  browserTest(
    'results explain their score, and the question and day stay after a reload',
    async () => {
      const user = await newUser(server.current)
      const [first = ''] = await writeAndRead(user.client, 'Lena lives in Lisbon.')
      // Facts change the scores.
      await writeAndRead(
        user.client,
        { content: 'Lena lives in Porto.', supersedes: first },
        { content: 'Lena plays the cello on Thursdays.', tags: ['music'] },
      )
      const page = await open(user, '/memories')
      await page.getByRole('searchbox', { name: 'Search memories' }).focus()
      await page.keyboard.type('Where does Lena live?')
      const results = page.getByRole('list', { name: 'Search results' })
      await results.getByText('Lena lives in Porto.').waitFor()
      expect(await results.getByText('Lena lives in Lisbon.').count()).toBe(0)
      const found = await user.client.call(recall, {
        body: { query: 'Where does Lena live?', explain: true },
      })
      const partly = found.memories.find(({ explanation }) => explanation && isPart(explanation))
      const { words, coverage } = partly?.explanation ?? expect.unreachable()
      const result = results.getByRole('listitem').filter({ hasText: partly?.content_text ?? '' })
      const best = Math.max(...found.memories.map(({ score }) => score))
      const part = ((words * coverage) / best).toLocaleString('en', { maximumFractionDigits: 3 })
      await result.getByRole('img', { name: `: Words ${part}` }).waitFor()
      await result.getByText('Why this result').click()
      const share = Math.round(coverage * 100)
      await result.getByText(`${share}% of the words of the question were found`).waitFor()
      await expectAccessible(page)

      await page.getByRole('button', { name: 'Filters' }).click()
      const slider = page.getByRole('slider', { name: 'Days back' })
      await slider.focus()
      await page.keyboard.press('ArrowLeft')
      await page.getByText('As of: ').waitFor()
      await results.getByText('Lena lives in Lisbon.').waitFor()
      await results.getByText('Lena lives in Porto.').waitFor({ state: 'detached' })
      await expectAccessible(page)
      await page.reload()
      await results.getByText('Lena lives in Lisbon.').waitFor()
      expect(await page.getByRole('searchbox').inputValue()).toBe('Where does Lena live?')
      await page.getByRole('button', { name: 'Remove the filter As of' }).click()
      await results.getByText('Lena lives in Porto.').waitFor()
    },
  )

  browserTest('a question does not cancel a navigation that is still loading', async () => {
    const page = await open(await newUser(server.current), '/memories', {}, withClock)
    const loading = Promise.withResolvers<void>()
    await page.route('**/*.js', async (route) => {
      await loading.promise
      await route.continue()
    })
    await page.getByRole('searchbox', { name: 'Search memories' }).fill('pears')
    await page.getByRole('link', { name: 'Remember' }).first().click()
    await page.waitForURL('**/memories/new')
    await page.clock.runFor(1000)
    expect(new URL(page.url()).pathname).toBe('/app/memories/new')
    loading.resolve()
    await page.getByRole('heading', { level: 1, name: 'Remember' }).waitFor()
  })
})
