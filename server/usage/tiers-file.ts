import { readFileSync } from 'node:fs'
import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { Value, type ValueError, ValueErrorType } from '@sinclair/typebox/value'
import { Nullable, OneOf } from '../../shared/contract/common.ts'
import {
  FEATURES,
  forEachMetric,
  METRICS,
  type SubscriptionTier,
  TIER_NAMES,
  TIERS,
  type TierName,
} from '../../shared/tiers.ts'

const strict = { additionalProperties: false }

const wholeNumber = { expected: 'a whole number from 0, or null for no limit' }
const limit = Nullable(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), wholeNumber)

const eachMetric = <T extends TSchema>(schema: T) =>
  Type.Partial(
    Type.Object(
      forEachMetric(() => schema),
      { ...strict, expected: `an object of ${METRICS.join(', ')}` },
    ),
  )

const common = {
  seats: Type.Optional(limit),
  features: Type.Optional(
    Type.Array(OneOf(FEATURES, { expected: `one of ${FEATURES.join(', ')}` }), {
      uniqueItems: true,
      expected: `a list of ${FEATURES.join(', ')}, each once`,
    }),
  ),
}
const tierOptions = { ...strict, expected: 'an object of overrides of this tier' }
const free = { ...common, quotas: Type.Optional(eachMetric(limit)) }
const subscription = {
  ...free,
  price_usd: Type.Optional(
    Type.Number({ minimum: 0, maximum: 999_999.99, expected: 'dollars with at most two decimals' }),
  ),
  stripe_price_id: Type.Optional(
    Type.String({ pattern: '^price_\\w+$', expected: 'the id of a price, such as price_123' }),
  ),
}
const micros = Type.Integer({
  minimum: 0,
  maximum: 1_000_000_000,
  expected: 'a whole number of micro-dollars from 0',
})
const usage = { ...common, prices_micro_usd: Type.Optional(eachMetric(micros)) }

/** The overrides that a tier takes, by how it is paid for. */
const overridesBy = {
  free: Type.Object(free, tierOptions),
  subscription: Type.Object(subscription, tierOptions),
  usage: Type.Object(usage, tierOptions),
}

const OverridesFile = Type.Partial(
  Type.Object(Object.fromEntries(TIERS.map(({ name, payment }) => [name, overridesBy[payment]])), {
    ...strict,
    expected: `an object of ${TIER_NAMES.join(', ')}`,
  }),
)

type OverrideOf<Name> = Name extends SubscriptionTier
  ? Static<typeof overridesBy.subscription>
  : Name extends 'payg'
    ? Static<typeof overridesBy.usage>
    : Static<typeof overridesBy.free>

/** The content of a file of `SVC_TIERS`; a field that is left out keeps its built-in value. */
export type Overrides = { [Name in TierName]?: OverrideOf<Name> }

/**
 * Reads the file that overrides the built-in tiers.
 * @returns the overrides, or one line for each problem, to report with those of the configuration.
 */
export const readTiersFile = (path: string): { overrides: Overrides; problems: string[] } => {
  const content = readJson(path)
  if (content === undefined)
    return { overrides: {}, problems: ['SVC_TIERS must be a readable JSON file'] }
  const problems = [...Value.Errors(OverridesFile, content)].map(describe)
  problems.push(...fractionsOfCents(content))
  return problems.length
    ? { overrides: {}, problems: [...new Set(problems)] }
    : { overrides: content as Overrides, problems }
}

const readJson = (path: string): unknown => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

const describe = ({ path, schema, type }: ValueError): string => {
  const field = path.slice(1).replaceAll('/', '.')
  if (type === ValueErrorType.ObjectAdditionalProperties)
    return `SVC_TIERS: ${field} is not a field of a tiers file`
  return `SVC_TIERS: ${field || 'the file'} must be ${schema.expected}`
}

/** `multipleOf` does not work for floats, so decimals are counted. */
const fractionsOfCents = (content: unknown): string[] =>
  Object.entries(content ?? {}).flatMap(([name, tier]) => {
    const price: unknown = (tier as { price_usd?: unknown } | null)?.price_usd
    const isFraction = typeof price === 'number' && !/^\d+(\.\d{1,2})?$/.test(String(price))
    return isFraction
      ? [`SVC_TIERS: ${name}.price_usd must be dollars with at most two decimals`]
      : []
  })
