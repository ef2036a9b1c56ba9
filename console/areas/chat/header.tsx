import { type ReactNode, useEffect } from 'react'
import { setTitle } from '../../ui/title.ts'
import { OpenListButton } from './layout.tsx'

interface ChatHeaderProps {
  title: string
  note?: ReactNode
  actions?: ReactNode
}

/** The title of a chat in one line: the messages have the rest of the screen. */
export const ChatHeader = ({ title, note, actions }: ChatHeaderProps) => {
  useEffect(() => {
    setTitle(title)
  }, [title])
  return (
    <header className="chat-header">
      <OpenListButton />
      <div className="chat-header-text">
        <h1 className="truncate" tabIndex={-1}>
          <bdi>{title}</bdi>
        </h1>
        {note && <p className="small quiet truncate">{note}</p>}
      </div>
      {actions}
    </header>
  )
}

/** A screen of this area that is no chat, such as the list of agents. */
export const ChatScreen = ({ children }: { children: ReactNode }) => (
  <div className="chat-screen">
    <OpenListButton />
    {children}
  </div>
)
