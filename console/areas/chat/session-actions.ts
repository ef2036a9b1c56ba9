import { type ChatMessage, listChatMessages } from '../../../shared/contract/chat-messages.ts'
import {
  archiveChatSession,
  type ChatSession,
  pinChatSession,
} from '../../../shared/contract/chat-sessions.ts'
import { sharing } from '../../features.ts'
import { callApi } from '../../session/client.ts'
import { useAction } from '../../session/query.ts'
import { chat } from '../../texts/chat.ts'
import { common } from '../../texts/common.ts'
import type { MenuAction } from '../../ui/menu.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { notify, notifyError } from '../../ui/toast.tsx'

const texts = chat.session
const describe = (isArchived: boolean) => (isArchived ? texts.archived : texts.unarchived)

export interface SessionDialog {
  kind: 'rename' | 'move' | 'share' | 'delete'
  session: ChatSession
}

/** The menu of a chat. Actions that ask for more open a dialog. */
export const useSessionActions = (
  session: ChatSession,
  onDialog: (dialog: SessionDialog) => void,
): MenuAction[] => {
  const params = { session_id: session.id }
  const pin = useAction(pinChatSession, { onError: notifyError })
  // Not the action itself, which would take an undo at once for its second click.
  const undo = useAction(archiveChatSession, {
    onSuccess: ({ is_archived }) => notify(describe(is_archived)),
    onError: notifyError,
  })
  const archive = useAction(archiveChatSession, {
    onSuccess: ({ is_archived }) =>
      notify(describe(is_archived), { label: common.undo, run: () => undo.mutate({ params }) }),
    onError: notifyError,
  })
  const open = (kind: SessionDialog['kind']) => () => onDialog({ kind, session })
  return [
    {
      label: session.is_pinned ? texts.unpin : texts.pin,
      icon: 'pin',
      onAction: () => pin.mutate({ params }),
    },
    { label: texts.rename, icon: 'edit', onAction: open('rename') },
    { label: texts.move, icon: 'tag', onAction: open('move') },
    {
      label: texts.export,
      icon: 'download',
      onAction: () => void exportChat(session).catch(notifyError),
    },
    ...(sharing ? [{ label: texts.share, icon: 'share' as const, onAction: open('share') }] : []),
    {
      label: session.is_archived ? texts.unarchive : texts.archive,
      icon: 'archive',
      onAction: () => archive.mutate({ params }),
    },
    { label: texts.remove, icon: 'trash', isDanger: true, onAction: open('delete') },
  ]
}

const PAGE_SIZE = 100

/** All messages of a chat, oldest first. */
const allMessages = async (sessionId: string): Promise<ChatMessage[]> => {
  const pages: ChatMessage[][] = []
  for (;;) {
    const before = pages.at(-1)?.[0]?.id
    const page = await callApi(listChatMessages, {
      params: { session_id: sessionId },
      query: { limit: PAGE_SIZE, ...(before && { before }) },
    })
    pages.push(page)
    if (page.length < PAGE_SIZE) return pages.toReversed().flat()
  }
}

const sectionOf = ({ role, content, created_at, model }: ChatMessage): string => {
  const author = role === 'user' ? chat.message.you : [chat.message.svc, model].filter(Boolean)
  return `## ${[author].flat().join(' · ')}, ${created_at}\n\n${content}\n`
}

/** Characters that a file system refuses in names. */
const REFUSED = /[/\\:*?"<>|\p{Cc}]+/gu

/** Saves a chat as Markdown. */
const exportChat = async ({ id, title }: ChatSession): Promise<void> => {
  const messages = await allMessages(id)
  const text = [`# ${title}\n`, ...messages.map(sectionOf)].join('\n')
  const name = title.replaceAll(REFUSED, ' ').replaceAll(/\s+/g, ' ').trim() || chat.title
  saveFile(`${name}.md`, new Blob([text], { type: 'text/markdown' }))
}
