import { activity } from './account/activity/feature.ts'
import { account, deletion } from './account/feature.ts'
import { admin } from './admin/feature.ts'
import { conversation } from './conversation/feature.ts'
import { emails } from './emails/feature.ts'
import type { Feature, OptionalFeature, RetentionConfig } from './feature.ts'
import { automation } from './features/automation/feature.ts'
import { billing } from './features/billing/feature.ts'
import { openId } from './features/openid/feature.ts'
import { people } from './features/people/feature.ts'
import { policies } from './features/policies/feature.ts'
import { proxy } from './features/proxy/feature.ts'
import { scim } from './features/scim/feature.ts'
import { userImport } from './features/user-import/feature.ts'
import { webhooks } from './features/webhooks/feature.ts'
import { mcp } from './mcp/feature.ts'
import { memory } from './memory/feature.ts'
import { rateLimitRetention } from './platform/http/limits.ts'
import { submissionRetention } from './platform/http/submissions.ts'
import { defineRetention, type RetentionRule } from './platform/retention.ts'
import { resealColumns } from './platform/sealed-columns/service.ts'
import { hasOtherSecret } from './platform/secrets/auth-secret.ts'
import type { AuthSecrets } from './platform/secrets/derived-keys.ts'
import { sealedSettings } from './platform/settings/table.ts'
import { contexts } from './prompt/context/feature.ts'
import { activityReader, backups, consolePages, health } from './system/feature.ts'
import { usage } from './usage/feature.ts'

export type AnyFeature =
  | (Feature<string, object, unknown> & { option?: never; rows?: never })
  | OptionalFeature<string, object, unknown>

/** Undefined for a feature that is turned off. */
type ServiceOf<F extends AnyFeature> =
  | Awaited<ReturnType<F['start']>>
  | (F extends { option: string } ? undefined : never)
type NeedsOf<F extends AnyFeature> = Parameters<F['start']>[1]

/** The needs of a feature that those before it do not meet; one that may be undefined may be missing. */
type Missing<Needs, Started> = {
  [Name in keyof Needs]-?: Name extends keyof Started
    ? Started[Name] extends Needs[Name]
      ? never
      : Name
    : undefined extends Needs[Name]
      ? never
      : Name
}[keyof Needs]

/** The list, if each feature needs only those before it. Otherwise what is missing, for the type error. */
type InOrder<List, Started = unknown> = List extends readonly [
  infer First extends AnyFeature,
  ...infer Rest,
]
  ? [Missing<NeedsOf<First>, Started>] extends [never]
    ? InOrder<Rest, Started & Record<First['name'], ServiceOf<First>>> extends infer Others extends
        readonly unknown[]
      ? readonly [First, ...Others]
      : InOrder<Rest, Started & Record<First['name'], ServiceOf<First>>>
    : { feature: First['name']; misses: Missing<NeedsOf<First>, Started> }
  : readonly []

const list = [
  activity,
  account,
  openId,
  policies,
  scim,
  deletion,
  usage,
  billing,
  memory,
  contexts,
  emails,
  automation,
  conversation,
  proxy,
  people,
  admin,
  userImport,
  webhooks,
  backups,
  activityReader,
  health,
  mcp,
  consolePages,
] as const

/** The map of the product: every feature, in the order of their start. Each can use those before it. */
export const features: InOrder<typeof list> = list

/** The services of the features, by their names. */
export type Services = {
  [F in (typeof features)[number] as F['name']]: ServiceOf<F>
}

/** The features as what all of them have. */
export const allFeatures: readonly AnyFeature[] = features

/** Every rate limit. */
export const rateLimits = allFeatures.flatMap(({ limits = [] }) => limits)

/** Every column that is encrypted with the auth secret. */
export const sealedColumns = [sealedSettings, ...allFeatures.flatMap(({ sealed = [] }) => sealed)]

/** The files that rows refer to. */
export const blobReferences = allFeatures.flatMap(({ blobs = [] }) => blobs)

/** The formats of errors other than that of the contract. */
export const errorFormats = allFeatures.flatMap(({ errorFormat }) => errorFormat ?? [])

/** Every retention rule. */
export const retentionRules = ({
  config,
  authSecrets,
}: {
  config: RetentionConfig
  authSecrets: AuthSecrets
}): RetentionRule[] => [
  resealing(authSecrets),
  rateLimitRetention,
  submissionRetention,
  ...allFeatures.flatMap((feature) => feature.retention?.(config) ?? []),
]

/**
 * Another process may encrypt with the previous secret after the start of this one. A process whose secret was
 * replaced meanwhile leaves it to the others.
 */
const resealing = (authSecrets: AuthSecrets) =>
  defineRetention({
    name: 'sealed_columns',
    async run({ query }) {
      if (await hasOtherSecret(query, authSecrets.current)) return
      await resealColumns(query, authSecrets, sealedColumns)
    },
  })
