import type { JWK } from 'jose'
import type { Cipher } from '../../../platform/cipher.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Log } from '../../../platform/log.ts'
import { createRefresher } from '../../../platform/refresher.ts'
import { hashSecret } from '../../../platform/secrets.ts'
import { createFollowing } from './follow.ts'
import { createKeyPair, importKey, openPrivateKey, type PublicJwk } from './key-pair.ts'
import {
  ageOfFirstKey,
  clockOf,
  endKeysNow,
  insertKey,
  listLiveKeys,
  lockSigningKeys,
  notifyKeys,
  type StoredSigningKey,
} from './store.ts'

/** Earlier versions signed access tokens with HS256. They may run beside this one during an update. */
const EARLIER_TOKENS_MS = 24 * 60 * 60 * 1000

/** The public keys of access tokens, as the key set (RFC 7517) publishes them. */
export interface PublishedKeys {
  keys: PublicJwk[]
  etag: string
}

/** The signing keys that this process knows. A token costs no statement. */
export type Keyring = Awaited<ReturnType<typeof openKeyring>>

/** Times are those of `performance.now()`, so that an adjusted clock changes nothing. */
interface Key {
  kid: string
  publicJwk: PublicJwk
  publicKey: CryptoKey
  privateKey: CryptoKey | undefined
  signsFrom: number
  signsUntil: number
  verifiesUntil: number
}

interface KeyringDeps {
  database: Database
  cipher: Cipher
  log: Log
}

/** Loads the keys, and creates the first one. */
export const openKeyring = async (deps: KeyringDeps) => {
  const { database, log } = deps
  let keys = new Map<string, Key>()
  /** Known to be unknown, so that their tokens cost no statement. */
  const ended = new Set<string>()
  let published: PublishedKeys = { keys: [], etag: '' }
  let earlierUntil = Number.POSITIVE_INFINITY

  const load = async (): Promise<void> => {
    const rows = await listLiveKeys(database.query)
    const now = performance.now()
    const loaded = await Promise.all(rows.map((row) => toKey(deps.cipher, row, now, keys)))
    for (const kid of keys.keys()) ended.add(kid)
    keys = new Map(loaded.map((key) => [key.kid, key]))
    published = publish(loaded)
  }
  const refresher = createRefresher(load)

  const signer = (): { kid: string; privateKey: CryptoKey } | undefined => {
    const now = performance.now()
    const found = [...keys.values()].findLast(
      ({ privateKey, signsFrom, signsUntil }) => privateKey && signsFrom <= now && now < signsUntil,
    )
    return found?.privateKey && { kid: found.kid, privateKey: found.privateKey }
  }
  const verifier = (kid: string): CryptoKey | undefined => {
    const key = keys.get(kid)
    return key && performance.now() < key.verifiesUntil ? key.publicKey : undefined
  }

  const create = async (): Promise<void> => {
    await createFirstKey(deps)
    await refresher.refresh()
  }

  const following = createFollowing(database, log, refresher.refresh)
  await endUnreadableKeys(deps)
  await refresher.refresh()
  if (!signer()) await create()
  earlierUntil = performance.now() + EARLIER_TOKENS_MS - (await ageOfFirstKey(database.query))

  return {
    /** The key that signs now. */
    async signer(): Promise<{ kid: string; privateKey: CryptoKey }> {
      if (!signer()) await refresher.refresh()
      if (!signer()) await create()
      const found = signer()
      if (!found) throw new Error('no key signs')
      return found
    },

    /** The key of valid tokens. An unknown one is looked up in the database. */
    async find(kid: string): Promise<CryptoKey | undefined> {
      if (!keys.has(kid) && !ended.has(kid)) await refresher.refreshSoon()
      return verifier(kid)
    },
    published: (): PublishedKeys => published,

    /** Whether access tokens of a version that signed with HS256 may still be valid. */
    acceptsEarlierTokens: (): boolean => performance.now() < earlierUntil,

    /** Reads the keys again. */
    refresh: refresher.refresh,

    /** Follows the changes of other processes. */
    begin: following.begin,
    close: following.close,
  }
}

/** Imports each key once. */
const toKey = async (
  cipher: Cipher,
  { kid, publicJwk, sealedPrivateKey, signsInMs, signsForMs, verifiesForMs }: StoredSigningKey,
  now: number,
  known: ReadonlyMap<string, Key>,
): Promise<Key> => {
  const before = known.get(kid)
  const jwk = publicJwk as PublicJwk
  return {
    kid,
    publicJwk: jwk,
    publicKey: before?.publicKey ?? (await importKey(jwk as JWK)),
    privateKey:
      sealedPrivateKey === null
        ? undefined
        : (before?.privateKey ?? (await openPrivateKey(cipher, sealedPrivateKey, kid))),
    signsFrom: now + signsInMs,
    signsUntil: now + (signsForMs ?? Number.POSITIVE_INFINITY),
    verifiesUntil: now + (verifiesForMs ?? Number.POSITIVE_INFINITY),
  }
}

const publish = (loaded: Key[]): PublishedKeys => {
  const keys = loaded.map(({ publicJwk }) => publicJwk)
  const etag = `"${hashSecret(keys.map(({ kid }) => kid).join()).slice(0, 32)}"`
  return { keys, etag }
}

const isReadable = (
  cipher: Pick<Cipher, 'open'>,
  { kid, sealedPrivateKey }: StoredSigningKey,
): boolean => sealedPrivateKey !== null && cipher.open(sealedPrivateKey, kid) !== undefined

const signsNow = ({ signsInMs, signsForMs }: StoredSigningKey): boolean =>
  signsInMs <= 0 && (signsForMs ?? 1) > 0

/** Creates a key that signs at once, unless another process has done so. */
const createFirstKey = async ({ database, cipher }: KeyringDeps): Promise<void> => {
  const pair = await createKeyPair(cipher)
  await database.db.transaction(async (tx) => {
    const query = database.queryIn(tx)
    await lockSigningKeys(tx)
    const rows = await listLiveKeys(query)
    if (rows.some((row) => signsNow(row) && isReadable(cipher, row))) return
    await insertKey(query, pair, { now: await clockOf(query), afterSeconds: 0 })
    await notifyKeys(query)
  })
}

/** Ends the keys that a secret encrypted which this server does not have, such as those of a backup. */
const endUnreadableKeys = async ({ database, cipher }: KeyringDeps): Promise<void> => {
  const isLost = (row: StoredSigningKey) =>
    row.sealedPrivateKey !== null && !isReadable(cipher, row)
  if (!(await listLiveKeys(database.query)).some(isLost)) return
  await database.db.transaction(async (tx) => {
    const query = database.queryIn(tx)
    await lockSigningKeys(tx)
    const lost = (await listLiveKeys(query)).filter(isLost)
    await endKeysNow(query, { now: await clockOf(query), kids: lost.map(({ kid }) => kid) })
    await notifyKeys(query)
  })
}
