import type { AppDeps } from '../deps.ts'
import type { Blobs } from '../platform/blobs.ts'
import type { Cipher } from '../platform/cipher.ts'
import type { Db } from '../platform/db/database.ts'
import type { Mailer } from '../platform/mail/mailer.ts'
import type { EraseOrgData, OrgsWrittenFor } from './organizations/membership.ts'

/** Ends one kind of thing that the person before left in an account. */
export type EndOfAccount = (tx: Db, userId: string) => Promise<void>

/** Ends the things that other domains keep in an account. */
export interface TakeOverParts {
  /** In lock order, before the organizations. */
  end: readonly EndOfAccount[]
  /** Marks the memories of a user or an organization as text of someone else, and what is derived from them. */
  distrust(tx: Db, ownerId: string): Promise<void>
}

/** The dependencies of the groups of accounts. */
export interface AccountDeps extends AppDeps {
  mailer: Mailer
  blobs: Blobs
  cipher: Cipher
  /** The URL of the MCP endpoint, the audience of the tokens of OAuth clients. */
  mcpUrl: string
  /** Erases the data that other domains store for an organization. */
  eraseOrgData: EraseOrgData
  /** The organizations that another domain stores data of a user for. */
  orgsWrittenFor: OrgsWrittenFor
  /** Ends what other domains keep in an account that another person may have created. */
  takeOver: TakeOverParts
}
