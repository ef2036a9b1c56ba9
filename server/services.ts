import { join } from 'node:path'
import type { AppDeps } from './deps.ts'
import type { Core, Ending, Step, Steps, Subjects } from './feature.ts'
import {
  type AnyFeature,
  allFeatures,
  blobReferences,
  type Services,
  sealedColumns,
} from './features.ts'
import { LOCK_ORDER } from './lock-order.ts'
import { MCP_PATH } from './mcp/admission.ts'
import { createBlobs } from './platform/blobs.ts'
import { createCipher } from './platform/cipher.ts'
import { createLatest } from './platform/latest.ts'
import { startMailer } from './platform/mail/mailer.ts'
import { createLiveModels } from './platform/models/live-models.ts'
import { createModels } from './platform/models/models.ts'
import { resealColumns } from './platform/sealed-columns/service.ts'
import { createWriteWatch } from './platform/writes.ts'

/** A feature with the service that it has started; undefined where it is turned off. */
export interface StartedFeature {
  feature: AnyFeature
  isOn: boolean
  service: unknown
}

export interface Started {
  core: Core
  services: Services
  /** In the order of their start. */
  features: readonly StartedFeature[]
}

/** Starts every feature, each with what those before it offer. */
export const startFeatures = async (deps: AppDeps): Promise<Started> => {
  const features: StartedFeature[] = []
  const core = createCore(deps, features)
  if (deps.duties.runsBackgroundWork)
    await resealColumns(deps.database.query, deps.authSecrets, sealedColumns)
  const services: Record<string, unknown> = {}
  for (const feature of allFeatures) {
    const isOn = isFeatureOn(deps, feature)
    if (feature.option) feature.startEndings?.(core)
    // The type of the list has checked that those before it offer what it needs.
    const service = isOn ? await feature.start(core, services) : undefined
    services[feature.name] = service
    features.push({ feature, isOn, service })
  }
  return { core, features, services: services as unknown as Services }
}

const isFeatureOn = ({ config }: Pick<AppDeps, 'config'>, { option }: AnyFeature): boolean =>
  !option || !config.featuresOff.has(option)

/** @param started has all features when something ends. */
const createCore = (deps: AppDeps, started: readonly StartedFeature[]): Core => {
  const { config, baseUrl, database, jobs, log, metrics, mailTransport, authSecrets } = deps
  const featuresOn = allFeatures.filter((feature) => isFeatureOn(deps, feature))
  const listeners = featuresOn.flatMap((feature) => feature.onMessage?.(deps) ?? [])
  const ending = <S extends keyof Subjects>(name: S): Ending<Subjects[S]> => {
    const listSteps = () =>
      started
        .flatMap(({ feature, service }) => endingsOf(feature, service, core)[name] ?? [])
        .sort((a, b) => rankOf(a) - rankOf(b))
    return async (tx, subject) => {
      // The steps of a feature that has not started would be left out, and what it keeps would stay.
      if (started.length < allFeatures.length) throw new Error(`${name} ended during the start`)
      for (const { run } of listSteps()) await run(tx, subject)
    }
  }
  const core: Core = {
    ...deps,
    mailer: startMailer(jobs, mailTransport, () => config.mailFrom),
    blobs: createBlobs(config.s3, config.dataDir),
    cipher: createCipher(authSecrets),
    models: createLiveModels(
      createLatest(
        () => config.chat,
        (chat) => createModels(chat, log, undefined, metrics),
      ),
    ),
    writes: createWriteWatch(database.query, () => writtenDirectories(config), log),
    mcpUrl: `${baseUrl}${MCP_PATH}`,
    blobReferences,
    engines: featuresOn.flatMap((feature) => feature.engines?.(deps) ?? []),
    async onMessage(tx, userId, message) {
      for (const listener of listeners) await listener(tx, userId, message)
    },
    endings: {
      user: ending('user'),
      deletedUser: ending('deletedUser'),
      org: ending('org'),
      releasedOrg: ending('releasedOrg'),
      takeOver: ending('takeOver'),
      distrust: ending('distrust'),
    },
    // Also of features that are off: what they keep would no longer fit.
    async onInviteAccepted(tx, accepted) {
      for (const feature of allFeatures) await feature.onInviteAccepted?.(tx, accepted)
    },
    openId() {
      const found = started.find(({ feature, isOn }) => isOn && feature.openId)
      return found?.feature.openId?.(found.service)
    },
    payments: {
      isConfigured: featuresOn.some(({ payments }) => payments?.isConfigured(config)),
      // Also of a feature that is off: who has paid keeps the tier.
      async tierOf(tx, userId) {
        for (const { payments } of allFeatures) {
          const tier = await payments?.tierOf(tx, userId)
          if (tier) return tier
        }
        return undefined
      },
    },
    async orgsWrittenFor(tx, userId) {
      const found = started.map(({ feature, service }) =>
        feature.orgsWrittenFor?.(service)(tx, userId),
      )
      return [...new Set((await Promise.all(found)).flatMap((ids = []) => ids))].sort()
    },
  }
  return core
}

/** An optional feature ends things without its service. */
const endingsOf = (feature: AnyFeature, service: unknown, core: Core): Steps =>
  (feature.option ? feature.endings?.(undefined, core) : feature.endings?.(service, core)) ?? {}

/** The rank of a step in the order of locks; last without a lock. */
const rankOf = ({ locks }: Pick<Step<never>, 'locks'>): number =>
  locks ? LOCK_ORDER.indexOf(locks) : LOCK_ORDER.length

/** Returns the directories that the server writes files to; a bucket or mail server replaces them. */
const writtenDirectories = ({ s3, smtpUrl, dataDir }: AppDeps['config']): string[] => [
  ...(s3 ? [] : [join(dataDir, 'blobs')]),
  ...(smtpUrl ? [] : [join(dataDir, 'outbox')]),
]
