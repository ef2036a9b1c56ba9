import { afterAll, describe, expect } from 'bun:test'
import { listActivity, recall, remember } from '../../shared/contract/index.ts'
import { startStripeServer } from '../billing/stripe-server.ts'
import { creditsBought, deliver, refunded, STRIPE, subscriptionOf } from '../billing/support.ts'
import { browserTest, heading } from '../browser/support.ts'
import { eventually } from '../harness/eventually.ts'
import { runSql } from '../harness/http.ts'
import { newUser, type TestUser, useServer } from '../harness/server.ts'
import { expectAccessible, useConsole, withClock } from './support.ts'

const stripe = startStripeServer()
afterAll(() => stripe[Symbol.asyncDispose]())
const server = useServer({
  ...STRIPE,
  SVC_STRIPE_SECRET_KEY: 'sk_test_a_key_of_stripe',
  SVC_STRIPE_API_BASE: stripe.url,
})
const unpaid = useServer()
const { open, expectProblems } = useConsole(server)
const other = useConsole(unpaid)
const unrecorded = useServer({ SVC_ACTIVITY_DAYS: '0' })
const silent = useConsole(unrecorded)

const use = (user: TestUser, metric: string, used: number, before = 0) =>
  runSql(
    server.current.database,
    `insert into usage_counts (user_id, period, metric, used) values ('${user.id}',
    (date_trunc('month', now() at time zone 'utc') - interval '${before} months')::date, '${metric}', ${used})`,
  )

describe('usage', () => {
  browserTest('quotas that are near or at their limit are named, with a way on', async () => {
    const user = await newUser(server.current)
    await use(user, 'messages', 850)
    await use(user, 'emails', 20)
    await use(user, 'messages', 123, 2)
    const page = await open(user, '/usage')
    await page.getByText('Messages are nearly used up for this month.').waitFor()
    await page.getByText('Emails are used up for this month.').waitFor()
    const meter = page.getByRole('meter', { name: 'Messages' })
    expect(await meter.getAttribute('aria-valuetext')).toBe('850 of 1,000')
    const chart = page.getByRole('img', { name: 'Messages in each of the last 12 months' })
    await chart.locator('canvas').waitFor()
    await page.getByText('Show as a table').focus()
    await page.keyboard.press('Enter')
    await page.getByRole('cell', { name: '123', exact: true }).waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'See tiers' }).first().press('Enter')
    await heading(page, 'Tiers')
  })
})

describe('days', () => {
  browserTest('questions, reads, times and growth are drawn, and are in a table', async () => {
    const user = await newUser(server.current)
    for (const content of ['Ada plays chess.', 'Ada plays the piano.'])
      await user.client.call(remember, { body: { content } })
    await user.client.call(recall, { body: { query: 'What does Ada play?' } })
    await eventually(async () => {
      const { events } = await user.client.call(listActivity, { query: { kind: 'recall' } })
      return events.length > 0
    })
    await runSql(
      server.current.database,
      `insert into activity_events (owner_id, user_id, kind, count, memories, took_ms, created_at)
       select owner_id, user_id, kind, count, memories, 20, now() - interval '2 days'
       from activity_events where owner_id = '${user.id}' and kind = 'recall'`,
      `update activity_events set took_ms = 12.5 where owner_id = '${user.id}' and took_ms <> 20`,
    )
    const page = await open(user, '/usage')
    await page.getByRole('link', { name: 'By day' }).click()
    for (const name of [
      'Questions by day: 2 in 30 days',
      'Memories read by day: 4 in 30 days',
      'Memories written by day: 2 in 30 days',
      'Number of memories: from 0 to 2 in 30 days',
      /^Milliseconds that a search took on each of 2 days/,
    ])
      await page.getByRole('img', { name }).locator('canvas').waitFor()
    await page.getByText('Median of the last day with searches: 12.5 ms').waitFor()
    await expectAccessible(page)
    await page.getByRole('switch', { name: 'Show as table' }).focus()
    await page.keyboard.press('Space')
    const today = page.getByRole('row').nth(1)
    expect(await today.getByRole('cell').allTextContents()).toEqual([
      ...['1', '0', '2', '2', '0', '0', '2', '12.5 ms', '12.5 ms'],
    ])
    await page.reload()
    await page.getByRole('cell', { name: '20 ms' }).first().waitFor()
    expect(await page.getByRole('row').nth(3).getByRole('cell').allTextContents()).toEqual([
      ...['1', '0', '2', '0', '0', '0', '0', '20 ms', '20 ms'],
    ])
    await expectAccessible(page)
  })

  browserTest('a server that records no activity says so', async () => {
    const page = await silent.open(await newUser(unrecorded.current), '/usage/days')
    await page.getByText('This server records no activity.').waitFor()
    await page.getByText('No search was measured on these days.').waitFor()
  })
})

describe('a payment', () => {
  browserTest('usage is requested for a minute, and again when the user asks', async () => {
    const user = await newUser(server.current)
    const page = await open(user, '/usage?paid=1', {}, withClock)
    await page.getByText('Your payment takes effect in a moment').waitFor()
    await deliver(server.current, subscriptionOf(user, 'awakened').created(1, 'active'))
    await page.clock.runFor(4_000)
    await page
      .getByRole('meter', { name: 'Messages' })
      .and(page.locator('[aria-valuetext$="10,000"]'))
      .waitFor()
    await page.clock.runFor(60_000)
    await page.getByText('Stripe has not reported the payment yet').waitFor()
    await expectAccessible(page)
    let requests = 0
    page.on('request', (sent) => {
      if (sent.url().includes('/usage')) requests++
    })
    await page.clock.runFor(60_000)
    expect(requests).toBe(0)
    const requested = page.waitForRequest(/\/usage/)
    await page.getByRole('button', { name: 'Check again' }).press('Enter')
    await requested
    await page.getByText('Your payment takes effect in a moment').waitFor()
  })
})

describe('credits', () => {
  browserTest(
    'the cap is set and removed, and pay as you go switched, by keyboard alone',
    async () => {
      const user = await newUser(server.current)
      await deliver(server.current, creditsBought(user, 20, { payment: 'pi_shown' }))
      await deliver(server.current, refunded('pi_shown', 5))
      const page = await open(user, '/usage/credits')
      await page.getByText('15,000 credits').waitFor()
      await page.getByRole('cell', { name: 'Reversed (refund)' }).waitFor()

      const cap = page.getByLabel('Cap in US dollars a month')
      await cap.fill('-1')
      await cap.press('Enter')
      await page.getByText(/greater than or equal to 0/).waitFor()
      await cap.fill('25')
      await cap.press('Enter')
      await page.getByRole('meter', { name: 'Spending cap' }).waitFor()
      await expectAccessible(page)
      await page.reload()
      expect(await cap.inputValue()).toBe('25')
      await page.getByRole('button', { name: 'Remove cap' }).press('Enter')
      await page.getByText('No cap.').waitFor()

      await page.getByRole('button', { name: 'Turn on' }).press('Enter')
      await page.getByText('Pay as you go is on: usage is paid').waitFor()
      await page.getByRole('button', { name: 'Turn off' }).press('Enter')
      await page.getByText('Pay as you go is off: the quotas').waitFor()
    },
  )

  browserTest(
    'credits are bought on the page that Stripe returns; a failure is named',
    async () => {
      const user = await newUser(server.current)
      stripe.respond = ({ path }) =>
        path === '/v1/checkout/sessions' ? new Response('down', { status: 500 }) : undefined
      const page = await open(user, '/usage/credits')
      await page.getByRole('button', { name: 'Turn on' }).click()
      await page.getByText('Pay as you go needs credits. Buy some first.').waitFor()
      await page.getByRole('button', { name: 'Buy credits' }).press('Enter')
      await page.getByText('The payment provider failed to answer; try again').waitFor()
      stripe.respond = undefined
      expectProblems(new RegExp(`request to ${stripe.url}`))
      await page.getByRole('button', { name: 'Buy credits' }).press('Enter')
      await page.waitForURL(`${stripe.url}/pay`)
      const { params } = stripe.requests.findLast(({ path }) => path.startsWith('/v1/')) ?? {}
      expect(params).toMatchObject({
        'line_items[0][price_data][unit_amount]': '1000',
        'metadata[tier]': 'payg',
        success_url: `${server.current.baseUrl}/app/usage?paid=1`,
      })
    },
  )
})

describe('tiers', () => {
  browserTest(
    'the current tier is marked, a higher one is offered, and a change leads to Stripe',
    async () => {
      const user = await newUser(server.current)
      await deliver(server.current, subscriptionOf(user, 'awakened').created(1, 'active'))
      const page = await open(user, '/usage/tiers')
      await page.getByText('awakened, active.').waitFor()
      const current = page.getByRole('listitem').filter({ hasText: 'Your tier' })
      await current.getByRole('heading', { name: 'awakened' }).waitFor()
      expect(await page.getByRole('button', { name: /^Subscribe to/ }).allTextContents()).toEqual([
        'Subscribe to conscious',
      ])
      await expectAccessible(page)
      expectProblems(new RegExp(`request to ${stripe.url}`))
      await page.getByRole('button', { name: 'Manage subscription' }).press('Enter')
      await page.waitForURL(`${stripe.url}/portal`)
    },
  )

  browserTest('a user without a subscription subscribes on the page of Stripe', async () => {
    const page = await open(await newUser(server.current), '/usage/tiers')
    expectProblems(new RegExp(`request to ${stripe.url}`))
    await page.getByRole('button', { name: 'Subscribe to awakened' }).press('Enter')
    await page.waitForURL(`${stripe.url}/pay`)
    const { params } = stripe.requests.findLast(({ path }) => path.startsWith('/v1/')) ?? {}
    expect(params).toMatchObject({
      'metadata[tier]': 'awakened',
      success_url: `${server.current.baseUrl}/app/usage?paid=1`,
    })
  })

  browserTest('a lower tier than that of the subscription is not offered', async () => {
    const user = await newUser(server.current)
    await deliver(server.current, subscriptionOf(user, 'conscious').created(1, 'active'))
    const page = await open(user, '/usage/tiers')
    await page.getByText('conscious, active.').waitFor()
    await page.getByRole('heading', { name: 'awakened' }).waitFor()
    expect(await page.getByRole('button', { name: /^Subscribe to/ }).count()).toBe(0)
  })

  browserTest(
    'without Stripe, a user reads who sets tiers, and an admin sets the own one',
    async () => {
      const user = await newUser(unpaid.current)
      const page = await other.open(user, '/usage/tiers')
      await page.getByText('Ask an admin of this server for another tier.').waitFor()
      expect(await page.getByRole('button', { name: /Subscribe/ }).count()).toBe(0)

      const admin = await newUser(unpaid.current)
      await runSql(
        unpaid.current.database,
        `update users set is_admin = true where id = '${admin.id}'`,
      )
      const own = await other.open(admin, '/usage/tiers')
      await own.getByRole('button', { name: /^amnesiac/ }).press('Enter')
      await own.getByRole('option', { name: 'conscious' }).press('Enter')
      await own.getByRole('button', { name: 'Set tier' }).press('Enter')
      await own.getByText('Your tier is now “conscious”').waitFor()
      await own.getByRole('listitem').filter({ hasText: 'Your tier' }).getByText('$49').waitFor()
      await expectAccessible(own)
      await runSql(
        unpaid.current.database,
        `update users set is_admin = false where id = '${admin.id}'`,
      )
      await own.getByRole('button', { name: 'Set tier' }).press('Enter')
      await own.getByRole('alert').getByText(/admin/i).waitFor()
    },
  )
})
