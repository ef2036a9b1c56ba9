import { Outlet } from '@tanstack/react-router'
import { createContext, useContext, useState } from 'react'
import { Dialog, Modal, ModalOverlay } from 'react-aria-components'
import { chat } from '../../texts/chat.ts'
import { IconButton } from '../../ui/button.tsx'
import { ChatList } from './chat-list.tsx'
import './kept-drafts.ts'

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
