import { describe, expect, test } from 'bun:test'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { inCents, inUsd, ofUsd } from '../../server/billing/money.ts'
import { readConfig } from '../../server/config.ts'
import { METRICS } from '../../shared/schemas/billing.ts'
import { tiersFile } from '../http/billing-support.ts'

const tiersWith = (content: unknown) => readConfig({ SVC_TIERS: tiersFile(content) }).tiers
const documentation = () =>
  Bun.file(fileURLToPath(new URL('../../docs/billing.md', import.meta.url))).text()
const mistakesIn = (content: unknown): string[] => {
  try {
    tiersWith(content)
    return []
  } catch (error) {
    return (error as Error).message.split('\n')
  }
}

test('a file says only what is otherwise', () => {
  const tiers = tiersWith({
    amnesiac: { seats: null, quotas: { messages: 5 } },
    awakened: { price_usd: 9.99, features: [], stripe_price_id: 'price_1' },
    payg: { prices_micro_usd: { emails: 0 } },
  })
  expect(tiers.of('amnesiac')).toMatchObject({
    seats: null,
    quotas: { messages: 5, urls: 100, emails: 20, transcriptions: 20 },
  })
  expect(tiers.of('awakened')).toMatchObject({ priceCents: 999, features: [], seats: 10 })
  expect(tiers.ofPrice('price_1')).toBe('awakened')
  expect(tiers.priceMicros).toMatchObject({ messages: 2_000, emails: 0 })
  expect(tiers.of('conscious').priceCents).toBe(4_900)
})

describe('the documentation', () => {
  test('has an example of a file that is taken', async () => {
    const [, example] = /```json\n([\s\S]*?)```/.exec(await documentation()) ?? []
    const tiers = tiersWith(example)
    expect(tiers.of('awakened')).toMatchObject({ priceCents: 950, quotas: { urls: null } })
    expect(tiers.priceMicros).toMatchObject({ messages: 1_500, urls: 1_000 })
  })

  test('tells the numbers that are built in', async () => {
    const rows = (await documentation()).split('\n').map((line) => line.split(' | '))
    const { all, priceMicros } = readConfig({}).tiers
    const shown = (count: number | null) => count?.toLocaleString('en-US')
    const rowOf = (name: string) => rows.find(([first]) => first === `| ${name}`)?.slice(1, 4)
    for (const metric of METRICS) {
      expect(rowOf(metric)).toEqual(
        all.slice(0, 3).map(({ quotas }) => shown(quotas[metric]) ?? ''),
      )
      const price = rows.find(([first]) => first === `| ${metric}`)?.[4]
      expect(price).toStartWith(`${priceMicros[metric] / 1_000} credit`)
    }
    expect(rowOf('seats')).toEqual(all.slice(0, 3).map(({ seats }) => shown(seats) ?? ''))
  })
})

test('what is recommended is the next tier that has more', () => {
  const built = readConfig({}).tiers
  expect(built.withMore('amnesiac', 'messages')).toBe('awakened')
  expect(built.withMore('awakened', 'messages')).toBe('conscious')
  expect(built.withMore('conscious', 'messages')).toBe('payg')
  expect([built.lowestWith('webhooks'), built.lowestWith('sage')]).toEqual([
    'awakened',
    'conscious',
  ])
  const same = tiersWith({ awakened: { quotas: { urls: 100 } } })
  expect(same.withMore('amnesiac', 'urls')).toBe('conscious')
})

test('every mistake in a file is told at once, as those of the configuration are', () => {
  expect(() =>
    readConfig({
      SVC_PORT: 'x',
      SVC_TIERS: tiersFile({
        amnesiac: { quotas: { messages: -1, urls: 1.5, letters: 3 }, price_usd: 3 },
        awakened: { price_usd: 1.005, seats: 'many', stripe_price_id: 'prod_1' },
        conscious: { features: ['deep', 'flying'], quotas: 5 },
        payg: { quotas: { messages: 1 }, prices_micro_usd: { messages: 0.5 } },
        gold: {},
      }),
    }),
  ).toThrow(
    [
      'SVC_PORT takes a whole number from 0 to 65535',
      'SVC_TIERS: gold is nothing that a tiers file may say',
      'SVC_TIERS: amnesiac.price_usd is nothing that a tiers file may say',
    ].join('\n'),
  )
  const mistakes = mistakesIn({
    amnesiac: { quotas: { messages: -1, urls: 1.5, letters: 3 } },
    awakened: { price_usd: 1.005, seats: 'many', stripe_price_id: 'prod_1' },
    conscious: { features: ['deep', 'flying'], quotas: 5 },
    payg: { quotas: { messages: 1 }, prices_micro_usd: { messages: 0.5 } },
  })
  const limit = 'takes a whole number from 0, or null for no limit'
  expect(mistakes.toSorted()).toEqual(
    [
      `amnesiac.quotas.messages ${limit}`,
      `amnesiac.quotas.urls ${limit}`,
      'amnesiac.quotas.letters is nothing that a tiers file may say',
      'awakened.price_usd takes dollars with at most two decimals',
      `awakened.seats ${limit}`,
      'awakened.stripe_price_id takes the id of a price, such as price_123',
      'conscious.features.1 takes one of deep, sage, webhooks',
      'conscious.quotas takes an object of messages, urls, emails, transcriptions',
      'payg.quotas is nothing that a tiers file may say',
      'payg.prices_micro_usd.messages takes a whole number of micro-dollars from 0',
    ]
      .map((line) => `SVC_TIERS: ${line}`)
      .toSorted(),
  )
})

test('what is no JSON, or no file, is told as well', () => {
  const unreadable = 'SVC_TIERS takes a JSON file that can be read'
  expect(mistakesIn('{')).toEqual([unreadable])
  expect(() => readConfig({ SVC_TIERS: '/no/such/file.json' })).toThrow(unreadable)
  const wanted = 'SVC_TIERS: the file takes an object of amnesiac, awakened, conscious, payg'
  for (const content of ['[]', 'null', '5', '"text"']) expect(mistakesIn(content)).toEqual([wanted])
})

test('Stripe is configured as a whole', () => {
  const mistake = (env: Record<string, string>) => () => readConfig(env)
  expect(mistake({ SVC_STRIPE_SECRET_KEY: 'sk' })).toThrow(
    'SVC_STRIPE_SECRET_KEY takes a SVC_STRIPE_WEBHOOK_SECRET too',
  )
  expect(mistake({ SVC_STRIPE_API_BASE: 'https://proxy.test' })).toThrow(
    'SVC_STRIPE_API_BASE takes a SVC_STRIPE_SECRET_KEY too',
  )
  expect(mistake({ SVC_STRIPE_API_BASE: 'http://proxy.test' })).toThrow('SVC_STRIPE_API_BASE takes')
})

test('money is read as it is written, and comes back the same', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_000_000_000_000 }), (micros) => {
      expect(ofUsd(inUsd(micros))).toBe(micros)
    }),
  )
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100_000_000 }), (cents) => {
      expect(inCents(cents / 100)).toBe(cents)
    }),
  )
  for (const odd of [-1, 0.0000001, 1.0000001, 1e-9, 1e21, Number.NaN, Number.POSITIVE_INFINITY])
    expect(ofUsd(odd)).toBeUndefined()
  expect([inCents(0.07), inCents(1.005), inCents(19.99)]).toEqual([7, undefined, 1_999])
})
