import { describe, expect, test } from 'bun:test'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { readConfig } from '../../server/config/config.ts'
import { microsToUsd, usdToCents, usdToMicros } from '../../server/usage/money.ts'
import { METRICS } from '../../shared/tiers.ts'
import { tiersFile } from '../billing/support.ts'

const tiersWith = (content: unknown) => readConfig({ SVC_TIERS: tiersFile(content) }).tiers
const documentation = () =>
  Bun.file(fileURLToPath(new URL('../../docs/reference/billing.md', import.meta.url))).text()
const problemsIn = (content: unknown): string[] => {
  try {
    tiersWith(content)
    return []
  } catch (error) {
    return (error as Error).message.split('\n')
  }
}

test('a tiers file overrides the fields that it names and no others', () => {
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

describe('docs/reference/billing.md', () => {
  test('the example tiers file in docs/reference/billing.md is valid', async () => {
    const [, example] = /```json\n([\s\S]*?)```/.exec(await documentation()) ?? []
    const tiers = tiersWith(example)
    expect(tiers.of('awakened')).toMatchObject({ priceCents: 950, quotas: { urls: null } })
    expect(tiers.priceMicros).toMatchObject({ messages: 1_500, urls: 1_000 })
  })

  test('the tables in docs/reference/billing.md match the built-in tiers', async () => {
    const rows = (await documentation()).split('\n').map((line) => line.split(' | '))
    const { all, priceMicros } = readConfig({}).tiers
    const withQuotas = all.filter(({ payment }) => payment !== 'usage')
    const shown = (count: number | null) => count?.toLocaleString('en-US')
    const rowOf = (name: string) =>
      rows.find(([first]) => first === `| ${name}`)?.slice(1, 1 + withQuotas.length)
    for (const metric of METRICS) {
      expect(rowOf(metric)).toEqual(withQuotas.map(({ quotas }) => shown(quotas[metric]) ?? ''))
      const price = rows.find(([first]) => first === `| ${metric}`)?.[1 + withQuotas.length]
      expect(price).toStartWith(`${priceMicros[metric] / 1_000} credit`)
    }
    expect(rowOf('seats')).toEqual(withQuotas.map(({ seats }) => shown(seats) ?? ''))
  })
})

test('the recommended tier is the next one with a higher quota or the feature', () => {
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

test('all problems of a tiers file are reported together with those of the configuration', () => {
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
      'SVC_PORT must be a whole number from 0 to 65535',
      'SVC_TIERS: gold is not a field of a tiers file',
      'SVC_TIERS: amnesiac.price_usd is not a field of a tiers file',
    ].join('\n'),
  )
  const problems = problemsIn({
    amnesiac: { quotas: { messages: -1, urls: 1.5, letters: 3 } },
    awakened: { price_usd: 1.005, seats: 'many', stripe_price_id: 'prod_1' },
    conscious: { features: ['deep', 'flying'], quotas: 5 },
    payg: { quotas: { messages: 1 }, prices_micro_usd: { messages: 0.5 } },
  })
  const limit = 'must be a whole number from 0, or null for no limit'
  expect(problems.toSorted()).toEqual(
    [
      `amnesiac.quotas.messages ${limit}`,
      `amnesiac.quotas.urls ${limit}`,
      'amnesiac.quotas.letters is not a field of a tiers file',
      'awakened.price_usd must be dollars with at most two decimals',
      `awakened.seats ${limit}`,
      'awakened.stripe_price_id must be the id of a price, such as price_123',
      'conscious.features.1 must be one of deep, sage, webhooks',
      'conscious.quotas must be an object of messages, urls, emails, transcriptions',
      'payg.quotas is not a field of a tiers file',
      'payg.prices_micro_usd.messages must be a whole number of micro-dollars from 0',
    ]
      .map((line) => `SVC_TIERS: ${line}`)
      .toSorted(),
  )
})

test('a tiers file that is missing or not JSON is reported', () => {
  const unreadable = 'SVC_TIERS must be a readable JSON file'
  expect(problemsIn('{')).toEqual([unreadable])
  expect(() => readConfig({ SVC_TIERS: '/no/such/file.json' })).toThrow(unreadable)
  const expected = 'SVC_TIERS: the file must be an object of amnesiac, awakened, conscious, payg'
  for (const content of ['[]', 'null', '5', '"text"'])
    expect(problemsIn(content)).toEqual([expected])
})

test('a Stripe variable without the ones that it needs is reported', () => {
  const mistake = (env: Record<string, string>) => () => readConfig(env)
  expect(mistake({ SVC_STRIPE_SECRET_KEY: 'sk' })).toThrow(
    'SVC_STRIPE_SECRET_KEY requires SVC_STRIPE_WEBHOOK_SECRET',
  )
  expect(mistake({ SVC_STRIPE_API_BASE: 'https://proxy.test' })).toThrow(
    'SVC_STRIPE_API_BASE requires SVC_STRIPE_SECRET_KEY',
  )
  expect(mistake({ SVC_STRIPE_API_BASE: 'http://proxy.test' })).toThrow(
    'SVC_STRIPE_API_BASE must be',
  )
})

test('dollars convert to micro-dollars and cents exactly, and back to the same number', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_000_000_000_000 }), (micros) => {
      expect(usdToMicros(microsToUsd(micros))).toBe(micros)
    }),
  )
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100_000_000 }), (cents) => {
      expect(usdToCents(cents / 100)).toBe(cents)
    }),
  )
  for (const odd of [-1, 0.0000001, 1.0000001, 1e-9, 1e21, Number.NaN, Number.POSITIVE_INFINITY])
    expect(usdToMicros(odd)).toBeUndefined()
  expect([usdToCents(0.07), usdToCents(1.005), usdToCents(19.99)]).toEqual([7, undefined, 1_999])
})
