import { Outlet } from '@tanstack/react-router'
import { createContext, useContext, useState } from 'react'
import { Dialog, Modal, ModalOverlay } from 'react-aria-components'
import { isRunning } from '../../../shared/answer.ts'
import { keepDraft, takeDraft } from '../../session/drafts.ts'
import { chat } from '../../texts/chat.ts'
import { IconButton } from '../../ui/button.tsx'
import { ChatList } from './chat-list.tsx'
import { type Draft, drafts } from './drafts.ts'
import { turns } from './turns.ts'

const OpenList = createContext<() => void>(() => {})

/** The button that opens the list of chats on narrow screens. */
export const OpenListButton = () => {
  const open = useContext(OpenList)
  return (
    <div className="chat-open-list">
      <IconButton icon="chat" label={chat.list.open} onPress={open} />
    </div>
  )
}

/** The list of chats beside a chat, or in a drawer on narrow screens. */
export const ChatLayout = () => {
  const [isOpen, setOpen] = useState(false)
  return (
    <OpenList value={() => setOpen(true)}>
      <div className="chat">
        <div className="chat-side">
          <ChatList />
        </div>
        <ModalOverlay
          className="drawer-overlay"
          isOpen={isOpen}
          onOpenChange={setOpen}
          isDismissable
        >
          <Modal className="drawer chat-drawer">
            <Dialog aria-label={chat.list.label} className="chat-drawer-dialog">
              <ChatList onNavigate={() => setOpen(false)} />
            </Dialog>
          </Modal>
        </ModalOverlay>
        <div className="chat-main">
          <Outlet />
        </div>
      </div>
    </OpenList>
  )
}

/** Keeps the drafts of all chats over a sign-in and a reload, and questions that the server has not accepted. */

const KEY = 'chats'

/** The session may end while a question is sent, when it is no draft any more. */
const unaccepted = (): [string, Draft][] =>
  turns.entries().flatMap(([key, turn]) => {
    if (!turn?.question || turn.messageId !== null || !isRunning(turn)) return []
    const { text, page, files } = turn.question
    const added = files.map((stored) => ({ ...stored, key: stored.id, stored }))
    return [[key, { ...drafts.get(key), text, page, files: added }]]
  })

/** Uploads end with the page. */
const withUploaded = ([key, draft]: [string, Draft]): [string, Draft] => [
  key,
  { ...draft, files: draft.files.filter(({ stored }) => stored) },
]

for (const [key, draft] of takeDraft<[string, Draft][]>(KEY) ?? []) drafts.set(key, draft)
keepDraft(KEY, () => {
  const kept = [...drafts.entries(), ...unaccepted()].map(withUploaded)
  return kept.length ? kept : undefined
})
