import { lazy, Suspense, useDeferredValue } from 'react'
import { type Answer, isRunning } from '../../../shared/answer.ts'
import { chat } from '../../texts/chat.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { CitedMemories } from './cited-memories.tsx'
import { FileNames, QuestionBubble } from './question.tsx'
import { Tools } from './tools.tsx'
import { type ChatTurn, dismissTurn } from './turns.ts'

const texts = chat.answer
const Markdown = lazy(() => import('../../ui/markdown.tsx'))

/** The text of an answer. Until the renderer is loaded, its source is shown. */
export const AnswerText = ({ text }: { text: string }) => (
  <Suspense fallback={<p className="user-text">{text}</p>}>
    <Markdown text={text} />
  </Suspense>
)

/** A question and its answer while it arrives, and until the server returns them as messages. */
export const RunningTurn = ({ turn }: { turn: ChatTurn }) => (
  <>
    {turn.question && (
      <QuestionBubble text={turn.question.text}>
        <FileNames names={turn.question.files.map(({ name }) => name)} />
        {turn.question.page && <FileNames names={[turn.question.page.title]} />}
      </QuestionBubble>
    )}
    <RunningAnswer answer={turn} />
  </>
)

export const RunningAnswer = ({ answer }: { answer: Answer }) => {
  // Markdown of a long answer takes longer than a frame: typing and scrolling come first.
  const text = useDeferredValue(answer.text)
  return (
    <div className="chat-answer">
      <div className="chat-answer-body">
        <Tools tools={answer.tools} />
        {text && <AnswerText text={text} />}
        {isRunning(answer) && (
          <p className="chat-typing small quiet">{text ? texts.writing : texts.waiting}</p>
        )}
        {answer.phase === 'stopped' && <p className="small quiet">{texts.stopped}</p>}
      </div>
      <CitedMemories memories={answer.memories} />
    </div>
  )
}

interface TurnErrorProps {
  turnKey: string
  turn: ChatTurn
  onRetry?: (() => void) | undefined
}

/** Why the last answer failed, until the next turn or until the user closes it. */
export const TurnError = ({ turnKey, turn, onRetry }: TurnErrorProps) =>
  turn.error && (
    <div className="chat-turn-error">
      <ErrorNotice error={turn.error} onRetry={onRetry} />
      <Button isSmall look="quiet" onPress={() => dismissTurn(turnKey)}>
        {chat.answer.dismiss}
      </Button>
    </div>
  )
