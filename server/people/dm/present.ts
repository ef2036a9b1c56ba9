import type { DirectMessage, DirectThread } from '../../../shared/schemas/dm.ts'
import { initialsPath } from '../../account/profile/initials.ts'
import type { Person, ThreadView } from './store.ts'
import type { DmMessageRow } from './table.ts'

/** The service, where it writes: its id says its name in ASCII. */
const ICOG: Person = {
  id: '69636f67-0000-8000-8000-000000000000',
  username: 'icog',
  displayName: 'icog',
  avatarUrl: null,
}

/** Somebody whose account is deleted. */
const gone = (id: string): Person => ({
  id,
  username: 'deleted',
  displayName: 'Deleted user',
  avatarUrl: null,
})

/** `baseUrl` is where pictures are served. */
export const createPresent = (baseUrl: string) => {
  const pictureOf = (person: Person): string =>
    `${baseUrl}${person.avatarUrl ?? initialsPath(person.id, nameOf(person))}`

  const message = (row: DmMessageRow, people: Person[]): DirectMessage => {
    const author = authorOf(row, people)
    return {
      id: row.messageId,
      thread_id: row.threadId,
      author_id: author.id,
      author_username: author.username,
      author_display_name: nameOf(author),
      author_avatar_url: pictureOf(author),
      content: row.content,
      mentions_icog: row.mentionsIcog,
      reply_to_message_id: row.replyTo,
      created_at: row.createdAt.toISOString(),
    }
  }

  return {
    message,

    thread({ member, peer, isOnline, last }: ThreadView, me: Person): DirectThread {
      const other = peer ?? gone(member.peerId)
      return {
        thread_id: member.threadId,
        peer_user_id: other.id,
        peer_username: other.username,
        peer_display_name: nameOf(other),
        peer_avatar_url: pictureOf(other),
        peer_online: isOnline,
        last_message: last && message(last, [me, other]),
        unread: member.unread,
        last_message_at: member.lastMessageAt.toISOString(),
        archived: member.isArchived,
      }
    },
  }
}

export const nameOf = ({ displayName, username }: Person): string => displayName || username

export const authorOf = ({ isAnswer, userId }: DmMessageRow, people: Person[]): Person =>
  isAnswer ? ICOG : (people.find(({ id }) => id === userId) ?? gone(userId))
