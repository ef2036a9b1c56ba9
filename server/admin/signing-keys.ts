import { listSigningKeys, rotateSigningKeys } from '../../shared/contract/index.ts'
import type { SigningKey } from '../../shared/contract/signing-keys.ts'
import type { AccountServices } from '../account/account.ts'
import type { Mount } from '../platform/http/route.ts'

type Keys = Pick<AccountServices['signingKeys'], 'list' | 'rotate'>

export const signingKeyRoutes = (mount: Mount, keys: Keys): void => {
  mount(listSigningKeys, async () => present(await keys.list()))
  mount(rotateSigningKeys, async ({ caller: { userId }, client: { ip }, body }) => {
    const { now: endsOthers = false, reason } = body
    return present(await keys.rotate({ userId, ip, endsOthers, reason: reason ?? undefined }))
  })
}

const present = (keys: Awaited<ReturnType<Keys['list']>>): { keys: SigningKey[] } => ({
  keys: keys.map(({ kid, state, publishedAt, signsFrom, signsUntil, verifiesUntil }) => ({
    kid,
    state,
    published_at: publishedAt,
    signs_from: signsFrom,
    signs_until: signsUntil,
    verifies_until: verifiesUntil,
  })),
})
