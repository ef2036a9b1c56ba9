import type { DirectMessage, DirectThread } from '../../../../shared/contract/dm.ts'
import { DELETED_USERNAME } from '../../../account/users/email-address.ts'
import { initialsPath } from '../../../account/users/profile/avatars.ts'
import type { Participant, ThreadView } from './store.ts'
import type { DmMessageRow } from './table.ts'

/** The author of answers. The id spells its name in ASCII. */
export const ICOG: Participant = {
  id: '69636f67-0000-8000-8000-000000000000',
  username: 'icog',
  displayName: 'icog',
  avatarUrl: null,
}

const deletedParticipant = (id: string): Participant => ({
  id,
  username: DELETED_USERNAME,
  displayName: 'Deleted user',
  avatarUrl: null,
})

export type DmPresenter = ReturnType<typeof createDmPresenter>

/** `baseUrl` serves the avatars. */
export const createDmPresenter = (baseUrl: string) => {
  const avatarUrlOf = (user: Participant): string =>
    `${baseUrl}${user.avatarUrl ?? initialsPath(user.id, participantName(user))}`

  const message = (row: DmMessageRow, participants: Participant[]): DirectMessage => {
    const author = authorOf(row, participants)
    return {
      id: row.messageId,
      thread_id: row.threadId,
      author_id: author.id,
      author_username: author.username,
      author_display_name: participantName(author),
      author_avatar_url: avatarUrlOf(author),
      content: row.content,
      mentions_icog: row.mentionsIcog,
      reply_to_message_id: row.replyTo,
      created_at: row.createdAt.toISOString(),
    }
  }

  return {
    message,

    thread({ member, peer, isOnline, last }: ThreadView, me: Participant): DirectThread {
      const other = peer ?? deletedParticipant(member.peerId)
      return {
        thread_id: member.threadId,
        peer_user_id: other.id,
        peer_username: other.username,
        peer_display_name: participantName(other),
        peer_avatar_url: avatarUrlOf(other),
        peer_online: isOnline,
        last_message: last && message(last, [me, other]),
        unread: member.unread,
        last_message_at: member.lastMessageAt.toISOString(),
        archived: member.isArchived,
      }
    },
  }
}

export const participantName = ({ displayName, username }: Participant): string =>
  displayName || username

export const authorOf = (
  { isAnswer, userId }: DmMessageRow,
  participants: Participant[],
): Participant =>
  isAnswer ? ICOG : (participants.find(({ id }) => id === userId) ?? deletedParticipant(userId))
