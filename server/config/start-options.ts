import type { HashingCost } from '../account/users/passwords.ts'
import type { FetchOptions } from '../deps.ts'
import type { EmbeddedServer } from '../platform/db/embedded/open.ts'
import type { AdmissionLimits } from '../platform/http/admission.ts'
import type { BodyPace } from '../platform/http/body.ts'
import type { HttpContext } from '../platform/http/context.ts'
import type { Log } from '../platform/log.ts'
import type { Pauses } from '../platform/pauses.ts'
import type { Joined, Program } from '../platform/web-processes.ts'

export interface StartOptions {
  /** The command that runs svc, for instructions. Default: svc. */
  command?: string
  log?: Log
  /** The embedded PostgreSQL, if the caller has already started it. */
  embedded?: Promise<EmbeddedServer> | undefined
  /** Shows the operator a text that must not be logged, such as a link with a secret. */
  notice?(text: string): void
  /** Starts further processes of this server. Default: there are none. */
  program?: Program | undefined
  /** The server that has started this process as a part of it. */
  joined?: Joined | undefined
  /** Level of the log line of each request. Default: info. */
  requestLevel?: HttpContext['requestLevel']
  /** Default: pages are fetched from public addresses only. */
  fetching?: FetchOptions
  /** Cost of password hashing. Default: the production cost. */
  hashing?: HashingCost
  /** Pauses of background work. Default: those of production. */
  pauses?: Partial<Pauses>
  /** Milliseconds that a recall waits for the embedding model. Default: 300. */
  recallBudgetMs?: number
  /** How many requests run at once, and how long others wait. Default: the budgets. */
  admission?: Partial<AdmissionLimits>
  /** Minimum speed of a client that sends a body. */
  bodyPace?: BodyPace
  /** Enables the check of every statement against the lock order; for tests. */
  onLockOrderViolation?(error: Error): void
}
