import { readFileSync } from 'node:fs'
import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { Value, type ValueError, ValueErrorType } from '@sinclair/typebox/value'
import { FEATURES, METRICS } from '../../shared/schemas/billing.ts'
import { Nullable, OneOf } from '../../shared/schemas/common.ts'

const strict = { additionalProperties: false }

const wholeNumber = { wanted: 'a whole number from 0, or null for no limit' }
const limit = Nullable(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), wholeNumber)

const eachMetric = <T extends TSchema>(schema: T) =>
  Type.Partial(
    Type.Object(
      { messages: schema, urls: schema, emails: schema, transcriptions: schema },
      { ...strict, wanted: `an object of ${METRICS.join(', ')}` },
    ),
  )

const common = {
  seats: Type.Optional(limit),
  features: Type.Optional(
    Type.Array(OneOf(FEATURES, { wanted: `one of ${FEATURES.join(', ')}` }), {
      uniqueItems: true,
      wanted: `a list of ${FEATURES.join(', ')}, each once`,
    }),
  ),
}
const free = { ...common, quotas: Type.Optional(eachMetric(limit)) }
const subscribed = {
  ...free,
  price_usd: Type.Optional(
    Type.Number({ minimum: 0, maximum: 999_999.99, wanted: 'dollars with at most two decimals' }),
  ),
  stripe_price_id: Type.Optional(
    Type.String({ pattern: '^price_\\w+$', wanted: 'the id of a price, such as price_123' }),
  ),
}
const micros = Type.Integer({
  minimum: 0,
  maximum: 1_000_000_000,
  wanted: 'a whole number of micro-dollars from 0',
})
const payg = { ...common, prices_micro_usd: Type.Optional(eachMetric(micros)) }

const tier = { ...strict, wanted: 'an object of what is otherwise in this tier' }

/** What a file of `SVC_TIERS` may say; what it leaves out stays as it is built in. */
const OverridesFile = Type.Partial(
  Type.Object(
    {
      amnesiac: Type.Object(free, tier),
      awakened: Type.Object(subscribed, tier),
      conscious: Type.Object(subscribed, tier),
      payg: Type.Object(payg, tier),
    },
    { ...strict, wanted: 'an object of amnesiac, awakened, conscious, payg' },
  ),
)
export type Overrides = Static<typeof OverridesFile>

/**
 * Reads what an operator wants the tiers to be.
 * @returns the overrides, or one line for each mistake, as those of the configuration are told.
 */
export const readTiersFile = (path: string): { overrides: Overrides; mistakes: string[] } => {
  const content = parsed(path)
  if (content === undefined)
    return { overrides: {}, mistakes: ['SVC_TIERS takes a JSON file that can be read'] }
  const mistakes = [...Value.Errors(OverridesFile, content)].map(told)
  mistakes.push(...oddCents(content))
  return mistakes.length
    ? { overrides: {}, mistakes: [...new Set(mistakes)] }
    : { overrides: content as Overrides, mistakes }
}

const parsed = (path: string): unknown => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

const told = ({ path, schema, type }: ValueError): string => {
  const field = path.slice(1).replaceAll('/', '.')
  if (type === ValueErrorType.ObjectAdditionalProperties)
    return `SVC_TIERS: ${field} is nothing that a tiers file may say`
  return `SVC_TIERS: ${field || 'the file'} takes ${schema.wanted}`
}

/** Prices are told in cents; a float has no multiples to check by. */
const oddCents = (content: unknown): string[] =>
  Object.entries(content ?? {}).flatMap(([name, tier]) => {
    const price: unknown = (tier as { price_usd?: unknown } | null)?.price_usd
    const isOdd = typeof price === 'number' && !/^\d+(\.\d{1,2})?$/.test(String(price))
    return isOdd ? [`SVC_TIERS: ${name}.price_usd takes dollars with at most two decimals`] : []
  })
