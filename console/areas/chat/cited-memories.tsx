import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { CitedMemory } from '../../../shared/contract/chat-messages.ts'
import { chat } from '../../texts/chat.ts'
import { Button } from '../../ui/button.tsx'

const texts = chat.answer
const SHOWN = 3

/** The memories that an answer used, beside it, best first. */
export const CitedMemories = ({ memories }: { memories: readonly CitedMemory[] }) => {
  const [isOpen, setOpen] = useState(false)
  if (!memories.length) return null
  return (
    <aside className="chat-memories" aria-label={texts.memories}>
      <h2>{texts.memories}</h2>
      <ul className="plain">
        {(isOpen ? memories : memories.slice(0, SHOWN)).map(({ memory_id, content_text }) => (
          <li key={memory_id}>
            <Link to={`/memories/${memory_id}`} className="chat-memory" dir="auto">
              {content_text}
            </Link>
          </li>
        ))}
      </ul>
      {memories.length > SHOWN && (
        <Button isSmall look="quiet" aria-expanded={isOpen} onPress={() => setOpen((was) => !was)}>
          {isOpen ? texts.fewerMemories : texts.allMemories(memories.length)}
        </Button>
      )}
    </aside>
  )
}
