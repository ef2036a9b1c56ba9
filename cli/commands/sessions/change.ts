import {
  archiveChatSession,
  deleteChatSession,
  updateChatSession,
} from '../../../shared/contract/chat-sessions.ts'
import { changeConfirmed } from '../../confirmed.ts'
import { type Context, signedInClient } from '../../context.ts'
import { oneLine } from '../../output.ts'
import { findSession } from './ids.ts'

export const runSessionsRename = async (
  context: Context,
  { id, title }: { id: string; title: string[] },
): Promise<void> => {
  const session = await findSession(context, id)
  const renamed = await signedInClient(context).call(updateChatSession, {
    params: { session_id: session.id },
    body: { title: title.join(' ') },
  })
  if (context.json) context.io.printJson(renamed)
  context.io.info(`Renamed “${oneLine(session.title)}” to “${oneLine(renamed.title)}”.`)
}

/** The endpoint toggles. A session that is already in the state is not changed. */
const setArchived = async (context: Context, id: string, archived: boolean): Promise<void> => {
  const session = await findSession(context, id)
  const changed =
    session.is_archived === archived
      ? session
      : await signedInClient(context).call(archiveChatSession, {
          params: { session_id: session.id },
        })
  if (context.json) context.io.printJson(changed)
  context.io.info(`${archived ? 'Archived' : 'Unarchived'} “${oneLine(session.title)}”.`)
}

export const runSessionsArchive = (context: Context, { id }: { id: string }): Promise<void> =>
  setArchived(context, id, true)

export const runSessionsUnarchive = (context: Context, { id }: { id: string }): Promise<void> =>
  setArchived(context, id, false)

export const runSessionsDelete = (
  context: Context,
  { id, yes }: { id: string; yes?: boolean },
): Promise<void> =>
  changeConfirmed(context, {
    yes,
    words: ['sessions', 'delete', id],
    find: () => findSession(context, id),
    question: ({ title, message_count }) =>
      `Delete “${oneLine(title)}” and its messages (${message_count}) permanently?`,
    change: (session) =>
      signedInClient(context).call(deleteChatSession, { params: { session_id: session.id } }),
    response: (session) => ({ ...session, deleted: true }),
    done: ({ title }) => `Deleted “${oneLine(title)}”.`,
  })
