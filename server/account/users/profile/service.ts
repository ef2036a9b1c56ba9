import {
  deleteAvatar,
  getAvatar,
  getProfile,
  setOnboarding,
  updateProfile,
  uploadAvatar,
} from '../../../../shared/contract/index.ts'
import type { Avatar, Profile, UpdatedProfile } from '../../../../shared/contract/profile.ts'
import type { Database, Db } from '../../../platform/db/database.ts'
import type { Caller } from '../../../platform/http/caller.ts'
import { defineErrors } from '../../../platform/http/error.ts'
import type { Mount } from '../../../platform/http/route.ts'
import type { Upload } from '../../../platform/http/upload.ts'
import type { Images } from '../../../platform/images/images.ts'
import { userError } from '../errors.ts'
import { findUser } from '../store.ts'
import type { UserRow } from '../table.ts'
import { type Avatars, drawInitials } from './avatars.ts'
import { replaceAvatarUrl, setDisplayName, setOnboardingCompleted } from './store.ts'

const profileError = defineErrors({
  picture_type_not_allowed: { status: 400, detail: 'The picture must be a JPEG, PNG or WebP' },
  picture_too_large: { status: 400, detail: 'The picture is larger than 5 MB' },
  picture_not_readable: {
    status: 400,
    detail: 'The picture cannot be read as a JPEG, PNG or WebP',
  },
  picture_not_found: { status: 404, detail: 'Picture not found' },
})

/** The width and height of a stored picture, in pixels. */
const PICTURE_SIDE = 200

const PICTURE_TYPES = new Set(['image/jpeg', 'image/png', 'image/webp'])

/** Ignores the case and the parameters of a content type. */
const isPictureType = (declared: string): boolean =>
  PICTURE_TYPES.has(declared.split(';')[0]?.trim().toLowerCase() ?? '')

export type ProfileService = ReturnType<typeof createProfileService>

export const createProfileService = (
  { db }: Database,
  avatars: Avatars,
  images: Pick<Images, 'square'>,
) => {
  /** @returns whether the user exists. */
  const changeAvatar = async (userId: string, avatarUrl: string | null): Promise<boolean> => {
    const changed = await db.transaction(async (tx) => {
      const replaced = await replaceAvatarUrl(tx, userId, avatarUrl)
      if (replaced?.before) await avatars.scheduleDelete(tx, replaced.before)
      return replaced
    })
    if (changed?.before) await avatars.delete(changed.before)
    return changed !== undefined
  }

  return {
    /** @throws ApiError 404 for a deleted user. */
    async get(caller: Caller): Promise<Profile> {
      const user = await findUser(db, caller.userId)
      if (!user) throw userError('user_not_found')
      return { ...present(user), username: user.username }
    },

    /** @throws ApiError 404 for a deleted user. */
    async update(caller: Caller, displayName: string): Promise<UpdatedProfile> {
      const user = await setDisplayName(db, caller.userId, displayName)
      if (!user) throw userError('user_not_found')
      return present(user)
    },

    setOnboarding: ({ userId }: Caller, isCompleted: boolean): Promise<void> =>
      setOnboardingCompleted(db, userId, isCompleted),

    /**
     * @throws ApiError 400 for another type, for more than 5 MB, and for content that cannot be decoded; 429
     * when too many pictures of the caller wait.
     */
    async setAvatar(
      { userId }: Caller,
      { type, bytes, tooLarge }: Upload,
      signal: AbortSignal,
    ): Promise<Avatar> {
      if (!isPictureType(type)) throw profileError('picture_type_not_allowed')
      if (tooLarge) throw profileError('picture_too_large')
      const picture = await images.square(bytes, PICTURE_SIDE, { userId, signal })
      if (!picture) throw profileError('picture_not_readable')
      const avatar_url = await avatars.store(picture)
      if (await changeAvatar(userId, avatar_url)) return { avatar_url }
      await avatars.delete(avatar_url)
      throw userError('user_not_found')
    },

    async removeAvatar(caller: Caller): Promise<void> {
      await changeAvatar(caller.userId, null)
    },

    /**
     * An uploaded picture, or a generated one with initials.
     * @throws ApiError 404
     */
    async avatar(file: string): Promise<{ type: string; bytes: Uint8Array }> {
      const drawn = drawInitials(file)
      if (drawn) return { type: 'image/svg+xml', bytes: drawn }
      const picture = await avatars.read(file)
      if (!picture) throw profileError('picture_not_found')
      return { type: 'image/webp', bytes: picture }
    },

    /** Deletes the picture of a user, whose account the transaction deletes. */
    async erase(tx: Db, userId: string): Promise<void> {
      const replaced = await replaceAvatarUrl(tx, userId, null)
      if (replaced?.before) await avatars.scheduleDelete(tx, replaced.before)
    },
  }
}

const present = (user: UserRow): UpdatedProfile => ({
  display_name: user.displayName ?? user.username,
  avatar_url: user.avatarUrl,
  email: user.email,
})

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
