import { jsonWebKeySet } from '../../../../shared/contract/index.ts'
import type { MountRaw } from '../../../platform/http/mounts.ts'
import type { Keyring } from './keyring.ts'
import { KEY_SET_SECONDS } from './service.ts'

/** The key set is public, so scripts of every origin may read it, without credentials. */
export const keySetRoutes = (mount: MountRaw, keyring: Pick<Keyring, 'published'>): void => {
  mount(jsonWebKeySet, ({ request }) => {
    const { keys, etag } = keyring.published()
    const headers = {
      etag,
      'cache-control': `public, max-age=${KEY_SET_SECONDS}`,
      'access-control-allow-origin': '*',
    }
    const isCurrent = matches(request.headers.get('if-none-match'), etag)
    return isCurrent
      ? new Response(null, { status: 304, headers })
      : Response.json({ keys }, { headers })
  })
}

/** Weak comparison (RFC 9110, section 13.1.2). */
const matches = (header: string | null, etag: string): boolean =>
  header !== null &&
  (header.trim() === '*' ||
    header.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag))
