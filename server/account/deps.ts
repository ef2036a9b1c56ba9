import type { AppDeps } from '../deps.ts'
import type { Blobs } from '../platform/blobs.ts'
import type { Cipher } from '../platform/cipher.ts'
import type { Mailer } from '../platform/mail/mailer.ts'
import type { EraseOrgData } from './organizations/membership.ts'

/** The dependencies of the groups of accounts. */
export interface AccountDeps extends AppDeps {
  mailer: Mailer
  blobs: Blobs
  cipher: Cipher
  /** The URL of the MCP endpoint, the audience of the tokens of OAuth clients. */
  mcpUrl: string
  /** Erases the data that other domains store for an organization. */
  eraseOrgData: EraseOrgData
}
