import { listFeedback, removeFeedback } from '../../../shared/contract/feedback.ts'
import { useAction, useApi } from '../../session/query.ts'
import { memory as texts } from '../../texts/memory.ts'
import { Button } from '../../ui/button.tsx'
import { notify, notifyError } from '../../ui/toast.tsx'

/** The questions that a memory is marked as not relevant to; nothing without any. */
export const MemoryMarks = ({ id }: { id: string }) => {
  const { data } = useApi(listFeedback, { params: { memory_id: id } })
  const remove = useAction(removeFeedback, {
    onSuccess: () => notify(texts.markRemoved),
    onError: notifyError,
  })
  if (!data?.feedback.length) return null
  return (
    <section className="card" aria-labelledby="marks">
      <h2 id="marks">{texts.marks}</h2>
      <ul className="plain stack-small">
        {data.feedback.map(({ feedback_id, question }) => (
          <li key={feedback_id} className="row">
            <span className="grow memory-mark">
              <bdi>{question ?? texts.otherQuestion}</bdi>
            </span>
            <Button
              isSmall
              aria-label={texts.removeMarkOf(question ?? texts.otherQuestion)}
              onPress={() => remove.mutate({ params: { memory_id: id, feedback_id } })}
            >
              {texts.removeMark}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
