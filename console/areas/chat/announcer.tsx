import { useEffect, useState } from 'react'
import { isRunning } from '../../../shared/answer.ts'
import { chat } from '../../texts/chat.ts'
import type { ChatTurn } from './turns.ts'

/** Long enough for most answers; a screen reader user reads longer ones in the page. */
const MAX_CHARACTERS = 1_000

/** Announces the end of an answer to screen readers, and not each part of it. */
export const Announcer = ({ turn }: { turn: ChatTurn | undefined }) => {
  const [text, setText] = useState('')
  const [wasRunning, setWasRunning] = useState(false)
  const isAnswering = turn !== undefined && isRunning(turn)
  useEffect(() => {
    if (isAnswering) setText(chat.answer.waiting)
    else if (wasRunning && turn?.phase === 'done')
      setText(chat.answer.finished(turn.text.slice(0, MAX_CHARACTERS)))
    else if (wasRunning) setText(turn?.phase === 'stopped' ? chat.answer.stopped : '')
    setWasRunning(isAnswering)
  }, [isAnswering, wasRunning, turn?.phase, turn?.text])
  return (
    <div className="visually-hidden" role="status">
      {text}
    </div>
  )
}
