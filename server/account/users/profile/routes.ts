import {
  deleteAvatar,
  getAvatar,
  getProfile,
  setOnboarding,
  updateProfile,
  uploadAvatar,
} from '../../../../shared/contract/index.ts'
import type { Mount } from '../../../platform/http/route.ts'
import type { ProfileService } from './service.ts'

/** The content under a file name never changes. */
const PICTURE_HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'",
}

export const profileRoutes = (mount: Mount, profiles: ProfileService): void => {
  mount(getProfile, ({ caller }) => profiles.get(caller))
  mount(updateProfile, ({ caller, body }) => profiles.update(caller, body.display_name))
  mount(setOnboarding, async ({ caller, body }) => {
    await profiles.setOnboarding(caller, body.completed)
    return undefined
  })
  mount(uploadAvatar, async ({ caller, upload, signal }) =>
    profiles.setAvatar(caller, await upload(), signal),
  )
  mount(deleteAvatar, async ({ caller }) => {
    await profiles.removeAvatar(caller)
    return { message: 'Picture removed' }
  })
  mount(getAvatar, async ({ params }) => {
    const { type, bytes } = await profiles.avatar(params.file)
    return new Response(bytes, { headers: { 'content-type': type, ...PICTURE_HEADERS } })
  })
}
