import { describe, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { administer, claimAdmin } from '../admin/support.ts'
import {
  apiCaller,
  confirmationsOf,
  decide,
  newDevice,
  newReflex,
  sendSignal,
  settledFirings,
  waitingConfirmations,
} from '../automation/support.ts'
import { browserTest, heading } from '../browser/support.ts'
import { eventually } from '../harness/eventually.ts'
import { newVerifiedUser } from '../harness/http.ts'
import { type TestUser, useServer } from '../harness/server.ts'
import { expectAccessible, useConsole } from './support.ts'

const server = useServer()
const { open, expectProblems } = useConsole(server)

const HOSTILE = '<script>alert(1)</script> שלום'

const as = (user: TestUser) =>
  apiCaller(
    () => server.current,
    () => user,
  )

/** Chooses an option of a select by keyboard. */
const choose = async (page: Page, label: string, option: string) => {
  await page.getByRole('button', { name: new RegExp(`${label}$`) }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('option', { name: option, exact: true }).focus()
  await page.keyboard.press('Enter')
}

const typeInto = async (page: Page, label: string, text: string) => {
  await page.getByLabel(label, { exact: true }).focus()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(text)
}

describe('reflexes', () => {
  browserTest('a reflex is created, corrected, tried and switched off by keyboard', async () => {
    const user = await newVerifiedUser(server.current)
    const call = as(user)
    const device = await newDevice(call)
    const page = await open(user, '/automation')
    await page.getByText('No reflexes').waitFor()
    await page.getByRole('link', { name: 'New reflex' }).first().focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Name').waitFor()
    await page.keyboard.type(HOSTILE)
    await choose(page, 'Device', 'Greenhouse')
    await page.getByRole('button', { name: 'Add condition' }).focus()
    await page.keyboard.press('Enter')
    await typeInto(page, 'Field of the event', 'value..x')
    await typeInto(page, 'Value', 'hot')
    await typeInto(page, 'Text', 'It is {{value}} degrees.')
    await page.keyboard.press('Tab')
    await page.getByRole('button', { name: 'Create reflex' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Input should be names joined by dots').waitFor()
    await expectAccessible(page)
    await typeInto(page, 'Field of the event', 'value')
    await typeInto(page, 'Value', '30')
    await page.getByRole('button', { name: 'Create reflex' }).focus()
    await page.keyboard.press('Enter')
    await heading(page, HOSTILE)
    const [reflex] = (await call('GET', '/api/reflexes')).body
    expect(reflex.conditions).toEqual([{ op: 'gt', path: 'value', value: 30 }])

    await page.getByText('Try it with an event').focus()
    await page.keyboard.press('Enter')
    const event = page.getByLabel('Event', { exact: true })
    await event.fill('[]')
    await page.getByRole('button', { name: 'Try', exact: true }).press('Enter')
    await page.getByText('This must be a JSON object').waitFor()
    await event.fill('{}')
    await page.getByRole('button', { name: 'Try', exact: true }).press('Enter')
    await page.locator('.field-error', { hasText: 'Field required' }).waitFor()
    await event.fill(JSON.stringify({ type: 'signal', device_id: device, value: 30 }))
    await page.getByRole('button', { name: 'Try', exact: true }).press('Enter')
    await page.getByText('Not met: value is greater than 30').waitFor()
    await event.fill(JSON.stringify({ type: 'signal', device_id: device, value: 31 }))
    await page.getByRole('button', { name: 'Try', exact: true }).press('Enter')
    await page.getByRole('status').getByText('It is 31 degrees.').waitFor()
    await page.getByText('It has not fired yet.').waitFor()

    await sendSignal(call, device, 31)
    await page.getByText('Done', { exact: true }).waitFor()
    await expectAccessible(page)
    await page.getByRole('switch', { name: `On: ${HOSTILE}` }).focus()
    await page.keyboard.press('Space')
    await page.getByText(`${HOSTILE} is off`).waitFor()
    expect((await call('GET', `/api/reflexes/${reflex.reflex_id}`)).body.enabled).toBe(false)

    await page.getByRole('link', { name: 'Edit' }).click()
    expect(await page.getByLabel('Value', { exact: true }).inputValue()).toBe('30')
    await page.reload()
    await heading(page, `Edit ${HOSTILE}`)
  })

  browserTest('a webhook requires a tier, and its secret is shown once', async () => {
    const user = await newVerifiedUser(server.current)
    const page = await open(user, '/automation/reflexes/new')
    await page.getByLabel('Name').fill('Hook')
    await choose(page, 'Trigger', 'A message is sent')
    await choose(page, 'Action', 'Call a webhook')
    await page.getByLabel('URL').fill('http://127.0.0.1/svc')
    await page.getByRole('button', { name: 'Create reflex' }).click()
    await page.getByText('does not include webhooks').waitFor()
    await page.getByRole('link', { name: 'See tiers' }).waitFor()

    await claimAdmin(server.current, user)
    const changed = await administer(server.current, user, 'PUT', `${user.id}/tier`, {
      tier: 'awakened',
    })
    expect(changed.status).toBe(200)
    await page.getByRole('button', { name: 'Create reflex' }).click()
    await page.getByText('There is no public web server at this address').waitFor()
    await page.getByLabel('URL').fill('https://8.8.8.8/svc')
    await page.getByRole('button', { name: 'Create reflex' }).click()
    await page
      .getByRole('dialog')
      .getByText(/^whsec_/)
      .waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Done' }).click()
    await heading(page, 'Hook')
    await page.getByRole('button', { name: /^More actions/ }).click()
    await page.getByRole('menuitem', { name: 'Delete reflex' }).click()
    await page.getByRole('button', { name: 'Delete reflex' }).click()
    await page.getByText('No reflexes').waitFor()
  })
})

describe('devices', () => {
  browserTest('a device is added, and its signals appear as they arrive', async () => {
    const user = await newVerifiedUser(server.current)
    const call = as(user)
    const page = await open(user, '/automation/devices')
    await page.getByRole('button', { name: 'Add device' }).first().focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByLabel('Name').waitFor()
    await page.keyboard.type(HOSTILE)
    await page.getByLabel('Metadata').fill('[1]')
    await page.keyboard.press('Tab')
    await page.getByRole('dialog').getByRole('button', { name: 'Add device' }).click()
    await page.getByText('This must be a JSON object').waitFor()
    await page.getByLabel('Metadata').fill('{"room": "kitchen"}')
    await page.getByRole('dialog').getByRole('button', { name: 'Add device' }).click()
    await heading(page, HOSTILE)

    await page.getByRole('button', { name: 'Send a signal' }).focus()
    await page.keyboard.press('Enter')
    await page.locator('textarea:focus').waitFor()
    await page.keyboard.type('hot')
    await page.getByRole('button', { name: 'Send signal' }).click()
    await page.getByRole('dialog').locator('.field-error').waitFor()
    await page.getByRole('dialog').getByLabel('Value').fill('{"temperature": 21.5}')
    await page.getByRole('button', { name: 'Send signal' }).click()
    await page.getByRole('cell', { name: 'temperature 21.5' }).waitFor()

    const [{ device_id }] = (await call('GET', '/api/senses/devices')).body
    await sendSignal(call, device_id, 47)
    await page.getByRole('cell', { name: '47' }).waitFor()
    await choose(page, 'Type', 'Number')
    await page.getByRole('cell', { name: 'temperature 21.5' }).waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('cell', { name: '47' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'All devices' }).click()
    await page.getByRole('cell', { name: '47' }).waitFor()
    await expectAccessible(page)
  })
})

describe('the chart of signals', () => {
  const chart = (page: Page) => page.getByRole('img', { name: /over time/ })

  browserTest('draws the numbers of a device above the table with the same values', async () => {
    const user = await newVerifiedUser(server.current)
    const call = as(user)
    const device = await newDevice(call)
    const send = (minute: number, signal_type: string, value: unknown) =>
      call('POST', `/api/senses/devices/${device}/signals`, {
        signal_type,
        value,
        occurred_at: new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString(),
      })
    await send(0, 'text', 'hello')
    await send(1, 'readings', { temperature: 20, door: true })
    const page = await open(user, `/automation/devices/${device}`)
    await page.getByRole('cell', { name: 'hello' }).waitFor()
    expect(await chart(page).count()).toBe(0)

    for (const minute of [2, 3, 4]) await send(minute, 'readings', { temperature: 20 + minute })
    for (const minute of [5, 6]) await send(minute, 'battery', 90 - minute)
    const name = 'temperature, Battery over time, from 7 signals. The table has the same values.'
    await page.getByRole('img', { name }).locator('canvas').waitFor()
    await page.getByRole('cell', { name: 'temperature 24' }).waitFor()
    await expectAccessible(page)

    await choose(page, 'Type', 'Battery')
    await page.getByRole('img', { name: /^Battery over time, from 2 signals/ }).waitFor()
    await choose(page, 'Type', 'Text')
    await chart(page).waitFor({ state: 'detached' })
  })
})

describe('decisions', () => {
  browserTest('a confirmation is approved, and one that is decided elsewhere says so', async () => {
    const user = await newVerifiedUser(server.current)
    const call = as(user)
    const device = await newDevice(call)
    const reflex = await newReflex(call, { name: 'Ask', confirm: true })
    for (const value of [1, 2]) await sendSignal(call, device, value)
    const [latest] = await waitingConfirmations(call, 2)
    const page = await open(user, '/automation/confirmations')
    await page.getByRole('button', { name: 'Approve Ask' }).nth(1).waitFor()
    await expectAccessible(page)
    // Without its refresh, the list does not learn of the decision.
    expectProblems(/confirmations/)
    await page.route('**/api/reflexes/confirmations*', (route) => route.abort())
    await decide(call, latest.intent_id, 'skip_once')
    await page.getByRole('button', { name: 'Approve Ask' }).first().focus()
    await page.keyboard.press('Enter')
    await page.getByText('The confirmation was already decided: skip_once').waitFor()
    await page.unroute('**/api/reflexes/confirmations*')
    await page.reload()
    await page.getByRole('button', { name: 'Approve Ask' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Nothing to confirm').waitFor()
    const states = (await settledFirings(call, reflex.reflex_id, 2)).map(
      ({ state }: { state: string }) => state,
    )
    expect(states.toSorted()).toEqual(['done', 'skipped'])
    expect(await confirmationsOf(call)).toEqual([])
  })

  browserTest('a topic is dismissed with undo, and a contradiction is resolved', async () => {
    const user = await newVerifiedUser(server.current)
    const call = as(user)
    for (const content of ['I live in Lisbon.', 'I live in Porto.'])
      await call('POST', '/api/remember', { content })
    await eventually(async () => (await call('GET', '/api/proactive/intents')).body.length)
    const page = await open(user, '/automation/inbox')
    const dismiss = page.getByRole('button', { name: /^Dismiss home/ })
    await dismiss.focus()
    await page.keyboard.press('Enter')
    await page.getByText('Nothing to bring up').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await dismiss.waitFor()
    await expectAccessible(page)

    await page.getByRole('link', { name: 'Resolve' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Choose Lisbon' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Choose Lisbon' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Home is Lisbon now').waitFor()
    await page.getByRole('heading', { name: 'Contradictions' }).waitFor({ state: 'detached' })
    const { anchors } = (await call('GET', '/api/identity/anchors')).body
    expect(anchors[0].value).toBe('Lisbon')
    await page.getByRole('link', { name: 'Inbox' }).click()
    await page.getByText('Nothing to bring up').waitFor()
  })

  browserTest('a dismissal is sent when the tab leaves before the undo is gone', async () => {
    const user = await newVerifiedUser(server.current)
    const call = as(user)
    for (const content of ['I live in Lisbon.', 'I live in Porto.'])
      await call('POST', '/api/remember', { content })
    const topics = async () => (await call('GET', '/api/proactive/intents')).body
    await eventually(async () => (await topics()).length)
    const page = await open(user, '/automation/inbox')
    await page.getByRole('button', { name: /^Dismiss home/ }).press('Enter')
    await page.getByRole('button', { name: 'Undo' }).waitFor()
    expect(await topics()).toHaveLength(1)
    await page.goto('about:blank')
    await eventually(async () => (await topics()).length === 0)
  })
})
