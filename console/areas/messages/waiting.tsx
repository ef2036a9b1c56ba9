import { type DirectMessage, sendDirectMessage } from '../../../shared/contract/dm.ts'
import { useAction } from '../../session/query.ts'
import { directMessages as texts } from '../../texts/people.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice, Notice } from '../../ui/notice.tsx'
import { useIsPast } from '../../ui/use-is-past.ts'

/** Models take up to two minutes to begin. A later answer still appears. */
const ANSWER_MS = 3 * 60_000

interface WaitingProps {
  question: DirectMessage
  canAskAgain: boolean
}

/** Below a question to the service without an answer: it is answered, or it was not. */
export const Waiting = ({ question, canAskAgain }: WaitingProps) => {
  const isLate = useIsPast(Date.parse(question.created_at) + ANSWER_MS)
  return (
    <div role="status">
      {isLate ? (
        <Notice look="warn" action={canAskAgain && <AskAgain question={question} />}>
          {texts.unanswered}
        </Notice>
      ) : (
        <p className="quiet small">{texts.waiting}</p>
      )}
    </div>
  )
}

const AskAgain = ({ question }: Pick<WaitingProps, 'question'>) => {
  const { thread_id, content, reply_to_message_id } = question
  const ask = useAction(sendDirectMessage)
  return (
    <>
      <Button
        isSmall
        isPending={ask.isPending}
        onPress={() =>
          ask.mutate({ params: { thread_id }, body: { content, reply_to_message_id } })
        }
      >
        {texts.askAgain}
      </Button>
      {ask.error && <ErrorNotice error={ask.error} />}
    </>
  )
}
