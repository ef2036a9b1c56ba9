import type { Avatar, Profile, UpdatedProfile } from '../../../shared/schemas/profile.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/error.ts'
import type { Upload } from '../../platform/http/upload.ts'
import { findUser } from '../users/store.ts'
import type { UserRow } from '../users/table.ts'
import type { Avatars } from './avatars.ts'
import { drawInitials } from './initials.ts'
import { isPictureType, makePicture } from './picture.ts'
import { replaceAvatarUrl, setDisplayName } from './store.ts'

export type ProfileService = ReturnType<typeof createProfileService>

export const createProfileService = ({ db }: Database, avatars: Avatars) => {
  /** @returns whether the user is there. */
  const changeAvatar = async (userId: string, avatarUrl: string | null): Promise<boolean> => {
    const changed = await db.transaction(async (tx) => {
      const replaced = await replaceAvatarUrl(tx, userId, avatarUrl)
      if (replaced?.before) await avatars.forget(tx, replaced.before)
      return replaced
    })
    if (changed?.before) await avatars.remove(changed.before)
    return changed !== undefined
  }

  return {
    /** @throws ApiError 404 for a user who is gone. */
    async get(caller: Caller): Promise<Profile> {
      const user = await findUser(db, caller.userId)
      if (!user) throw userGone()
      return { ...present(user), username: user.username }
    },

    /** @throws ApiError 404 for a user who is gone. */
    async update(caller: Caller, displayName: string): Promise<UpdatedProfile> {
      const user = await setDisplayName(db, caller.userId, displayName)
      if (!user) throw userGone()
      return present(user)
    },

    /** @throws ApiError 400 for another type, more than 5 MB, or what cannot be opened. */
    async setAvatar(caller: Caller, { type, bytes, tooLarge }: Upload): Promise<Avatar> {
      if (!isPictureType(type)) throw new ApiError(400, 'The picture must be a JPEG, PNG or WebP')
      if (tooLarge) throw new ApiError(400, 'The picture is larger than 5 MB')
      const picture = await makePicture(bytes)
      if (!picture) throw new ApiError(400, 'The picture cannot be opened as a JPEG, PNG or WebP')
      const avatar_url = await avatars.keep(picture)
      if (await changeAvatar(caller.userId, avatar_url)) return { avatar_url }
      await avatars.remove(avatar_url)
      throw userGone()
    },

    async removeAvatar(caller: Caller): Promise<void> {
      await changeAvatar(caller.userId, null)
    },

    /**
     * A picture that somebody uploaded, or one of initials.
     * @throws ApiError 404 when there is no such picture.
     */
    async avatar(file: string): Promise<{ type: string; bytes: Uint8Array }> {
      const drawn = drawInitials(file)
      if (drawn) return { type: 'image/svg+xml', bytes: drawn }
      const picture = await avatars.read(file)
      if (!picture) throw new ApiError(404, 'Picture not found')
      return { type: 'image/webp', bytes: picture }
    },

    /** Takes the picture of a user who is being deleted, within that transaction. */
    async forget(tx: Db, userId: string): Promise<void> {
      const replaced = await replaceAvatarUrl(tx, userId, null)
      if (replaced?.before) await avatars.forget(tx, replaced.before)
    },
  }
}

const userGone = () => new ApiError(404, 'User not found')

const present = (user: UserRow): UpdatedProfile => ({
  display_name: user.displayName ?? user.username,
  avatar_url: user.avatarUrl,
  email: user.email,
})
