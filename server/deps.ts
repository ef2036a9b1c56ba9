import type { AdminClaim } from './account/sign-in/first-admin/service.ts'
import type { HashingCost } from './account/users/passwords.ts'
import type { Config } from './config/config.ts'
import type { Database } from './platform/db/database.ts'
import type { DnsOptions } from './platform/dns.ts'
import type { FetcherOptions } from './platform/fetch/fetcher.ts'
import type { Admission } from './platform/http/admission.ts'
import type { Limiter } from './platform/http/limits.ts'
import type { Images } from './platform/images/images.ts'
import type { Jobs } from './platform/jobs.ts'
import type { Log } from './platform/log.ts'
import type { KeptLine, LineFilter } from './platform/log-ring.ts'
import type { MailTransport } from './platform/mail/transport.ts'
import type { Metrics } from './platform/metrics.ts'
import type { Pauses } from './platform/pauses.ts'
import type { EncodeTexts } from './platform/process-link.ts'
import type { RequestRate } from './platform/request-rate.ts'
import type { Duties } from './platform/role.ts'
import type { AuthSecrets } from './platform/secrets/derived-keys.ts'
import type { SettingsCatalog } from './platform/settings/catalog.ts'
import type { StoredSettings } from './platform/settings/service.ts'
import type { DocumentReader } from './platform/text/reader.ts'

export interface FetchOptions extends FetcherOptions, DnsOptions {
  /** Time to fetch and read a page, or to call a webhook. */
  timeoutMs?: number
}

/** The dependencies of every domain. */
export interface AppDeps {
  /** The command that runs svc, for instructions. */
  command: string
  /** A part that admins can change is the current one at each read. */
  config: Config
  /** The public URL of the server, without a trailing slash. */
  baseUrl: string
  authSecrets: AuthSecrets
  /** For the link of the first admin; undefined for a process whose server shows none. */
  claim: AdminClaim | undefined
  /** The work of this server, by its role. */
  duties: Duties
  /** Aborted when the server begins to stop. Until it is closed, it still answers requests. */
  stopping: AbortSignal
  database: Database
  jobs: Jobs
  limiter: Limiter
  log: Log
  /** Finds lines in the logs of the processes of this server. */
  findLines(filter: LineFilter): Promise<{ lines: KeptLine[]; processes: string[] }>
  /** The queues of requests. */
  admission: Admission
  /** Whether the server is busy with requests. */
  requestRate: RequestRate
  /** Undefined without `SVC_METRICS_TOKEN`. */
  metrics: Metrics | undefined
  mailTransport: Pick<MailTransport, 'deliver' | 'takesUtf8'>
  /** The settings of admins, which are parts of `config`. */
  settings: StoredSettings
  settingsCatalog: SettingsCatalog<Config>
  fetching: FetchOptions
  /** Reads documents in child processes. */
  reader: DocumentReader
  /** Reads images in child processes. */
  images: Images
  hashing: HashingCost | undefined
  pauses: Pauses
  /** Milliseconds that a recall waits for the embedding model before it continues without it. */
  recallBudgetMs: number | undefined
  /** The encoder of the first process of the server; undefined for that one. */
  encode: EncodeTexts | undefined
}
