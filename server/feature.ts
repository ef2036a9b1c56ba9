import type { Elysia } from 'elysia'
import type { Endpoint } from '../shared/contract/endpoint.ts'
import type { OptionalFeatureName } from '../shared/features.ts'
import type { TierName } from '../shared/tiers.ts'
import type { FindOpenId, OpenIdProvider } from './account/access/oauth-server/openid.ts'
import type { OnInviteAccepted } from './account/organizations/invites/acceptance.ts'
import type { OrgsWrittenFor } from './account/organizations/membership.ts'
import type { DeletedUser } from './account/users/deletion.ts'
import type { OnMessage } from './conversation/on-message.ts'
import type { AppDeps } from './deps.ts'
import type { LockClass } from './lock-order.ts'
import type { Engine } from './memory/engines/engine.ts'
import type { BlobReferences, Blobs } from './platform/blobs.ts'
import type { Cipher } from './platform/cipher.ts'
import type { Db } from './platform/db/database.ts'
import type { HttpContext } from './platform/http/context.ts'
import type { RateLimit } from './platform/http/limits.ts'
import type { Mounts } from './platform/http/mounts.ts'
import type { Mailer } from './platform/mail/mailer.ts'
import type { Models } from './platform/models/types.ts'
import type { RetentionRule } from './platform/retention.ts'
import type { SealedColumn } from './platform/sealed-columns/service.ts'
import type { ShutdownStage } from './platform/shutdown.ts'
import type { WriteWatch } from './platform/writes.ts'

/** The dependencies of every feature. */
export interface Core extends AppDeps {
  mailer: Mailer
  blobs: Blobs
  cipher: Cipher
  models: Models
  /** Records write failures of the storage. */
  writes: WriteWatch
  /** The URL of the MCP endpoint, the audience of the tokens of OAuth clients. */
  mcpUrl: string
  /** Ends what all features keep of a subject. */
  endings: Endings
  /** The engines of all features but memory. */
  engines: readonly Engine[]
  /** The files that rows of all features refer to. */
  blobReferences: readonly BlobReferences[]
  /** Tells all features of a message. */
  onMessage: OnMessage
  orgsWrittenFor: OrgsWrittenFor
  onInviteAccepted: OnInviteAccepted
  payments: Payments
  openId: FindOpenId
}

/** Ends what is kept of a subject, in the transaction that ends the subject. */
export type Ending<Subject> = (tx: Db, subject: Subject) => Promise<void>

/** How users pay for a tier. */
export interface Payments {
  /** Whether they can pay here. */
  isConfigured: boolean
  /** The best tier that a user pays for; undefined without one. */
  tierOf(tx: Db, userId: string): Promise<TierName | undefined>
}

/** The things that can end, and what identifies them. */
export interface Subjects {
  /** A user is deleted, and the row still exists. Rows that reference it are deleted by cascade. */
  user: DeletedUser
  /** The row of the user is deleted. */
  deletedUser: DeletedUser
  /** An organization is deleted. */
  org: string
  /** The account of its only member is taken over: its invites, and what acts for it, end. */
  releasedOrg: string
  /** The owner of the address takes over an account, in which another person may have made things. */
  takeOver: string
  /** The memories of a user or an organization may be the text of someone else. */
  distrust: string
}

export type Endings = { readonly [S in keyof Subjects]: Ending<Subjects[S]> }

/** One step of an ending. */
export interface Step<Subject> {
  /** The first class of locks that it takes, which is its place among all steps. Last, if left out. */
  locks?: LockClass
  run: Ending<Subject>
}

export type Steps = { readonly [S in keyof Subjects]?: readonly Step<Subjects[S]>[] }

/** The format of the errors at its paths, also where there is no endpoint. */
export interface ErrorFormat {
  isAt(path: string): boolean
  /** The error of a path without an endpoint. */
  notFound(): unknown
  /** Converts an ApiError. @returns any other error unchanged. */
  convert(thrown: unknown): unknown
}

/** Where a feature serves its endpoints and pages. */
export interface Serving extends Mounts {
  app: Elysia
  http: HttpContext
  baseUrl: string
  mcpUrl: string
}

/**
 * A part of the product: what it declares, and how it starts. `features.ts` lists all.
 * @typeParam Needs the services of features before it in the list, by their names.
 * @typeParam Service what it offers to its endpoints and to later features.
 */
export interface Feature<Name extends string, Needs, Service> {
  name: Name
  /** The rate limits that its requests count against. */
  limits?: readonly RateLimit[]
  /** Its columns that are encrypted with the auth secret. */
  sealed?: readonly SealedColumn[]
  /** Deletes its rows that are past their retention period. */
  retention?(config: RetentionConfig): readonly RetentionRule[]
  /** Its files in the storage of blobs. */
  blobs?: readonly BlobReferences[]
  /** Its work on written memories. */
  engines?(core: Pick<AppDeps, 'database' | 'jobs'>): readonly Engine[]
  /** Called for each message, before its transaction locks a row. */
  onMessage?(core: Pick<AppDeps, 'database' | 'jobs'>): OnMessage
  /** Called when an invite is accepted, in its transaction. */
  onInviteAccepted?: OnInviteAccepted
  payments?: {
    isConfigured(config: AppDeps['config']): boolean
    tierOf: Payments['tierOf']
  }
  /** Its part in the authorization server. */
  openId?(service: Service): OpenIdProvider
  errorFormat?: ErrorFormat
  start(core: Core, needs: Needs): Service | Promise<Service>
  endings?(service: Service, core: Core): Steps
  orgsWrittenFor?(service: Service): OrgsWrittenFor
  serve?(serving: Serving, service: Service): void
  /** Starts its background work, when the server listens. */
  begin?(service: Service, core: Core): void
  /** Stops background work, before the requests end. */
  stop?(service: Service): readonly ShutdownStage[]
  /** Stops what requests use, after they ended. */
  close?(service: Service): readonly ShutdownStage[]
}

/**
 * A feature that can be turned off. Then it does not start, and its endpoints answer 404; what it keeps is still
 * deleted with its subject and after its time.
 */
export interface OptionalFeature<Name extends string, Needs, Service>
  extends Omit<Feature<Name, Needs, Service>, 'endings'> {
  /** Its name in `SVC_FEATURES`. */
  option: OptionalFeatureName
  rows: readonly Endpoint[]
  /** Starts the jobs of its endings, also while it is off. */
  startEndings?(core: Core): void
  endings?(service: undefined, core: Core): Steps
}

export type RetentionConfig = Pick<AppDeps['config'], 'activity'>

/** Declares a feature that can be turned off. */
export const defineOptionalFeature = <const Name extends string, Needs, Service>(
  feature: OptionalFeature<Name, Needs, Service>,
): OptionalFeature<Name, Needs, Service> => feature

/** Declares a feature. */
export const defineFeature = <const Name extends string, Needs, Service>(
  feature: Feature<Name, Needs, Service>,
): Feature<Name, Needs, Service> => feature
