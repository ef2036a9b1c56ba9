import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import {
  type ActivityDetail,
  type ActivityEvent,
  getActivity,
} from '../../../shared/contract/activity.ts'
import { addFeedback, removeFeedback } from '../../../shared/contract/feedback.ts'
import type { Explanation } from '../../../shared/contract/recall.ts'
import { withRelativeScores } from '../../../shared/score.ts'
import { useAction, useApi } from '../../session/query.ts'
import { activity as texts } from '../../texts/activity.ts'
import { Button } from '../../ui/button.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { notifyError } from '../../ui/toast.tsx'
import { forgetAll } from '../memories/actions.ts'
import { Score } from '../memories/score.tsx'
import { SupersedeDialog } from '../memories/supersede.tsx'

/** The contract leaves the parts of a score open, because those of earlier versions are kept. */
type ScoredMemory = ActivityDetail['memories'][number] & { explanation?: Explanation }

/** The memories of an event as they are now, with their scores at that time. */
export const EventMemories = ({ event: { id, kind, question } }: { event: ActivityEvent }) => {
  const query = useApi(getActivity, { params: { event_id: id } })
  return (
    <Loaded query={query} lines={1}>
      {({ memories }) => {
        if (memories.length === 0)
          return (
            <p className="quiet">
              {kind === 'recall' || kind === 'context' ? texts.noMemories : texts.onlyCount}
            </p>
          )
        return (
          <ol className="plain activity-memories">
            {withRelativeScores(memories as ScoredMemory[]).map((each) => (
              <MemoryRow key={each.memory_id} memory={each} question={question} />
            ))}
          </ol>
        )
      }}
    </Loaded>
  )
}

const NAME_LENGTH = 60

interface MemoryRowProps {
  memory: ScoredMemory
  question: string | null
}

const MemoryRow = ({ memory: each, question }: MemoryRowProps) => {
  const { memory, memory_id, feedback_id, score, explanation } = each
  const [isReplacing, setReplacing] = useState(false)
  const [isForgetting, setForgetting] = useState(false)
  const mark = useAction(addFeedback, { onError: notifyError })
  const unmark = useAction(removeFeedback, { onError: notifyError })
  if (!memory) return <li className="quiet">{texts.gone}</li>
  const name = memory.content_text.slice(0, NAME_LENGTH)
  const forget = async () => {
    setForgetting(true)
    await forgetAll([memory])
    setForgetting(false)
  }
  return (
    <li className="activity-memory">
      <p className="activity-text">
        <bdi>{memory.content_text}</bdi>
      </p>
      {score !== undefined && explanation && <Score score={score} explanation={explanation} />}
      <div className="row">
        <Link
          className="button"
          to="/memories/$id"
          params={{ id: memory_id }}
          aria-label={texts.named(texts.open, name)}
        >
          {texts.open}
        </Link>
        {!memory.superseded_by && (
          <Button aria-label={texts.named(texts.replace, name)} onPress={() => setReplacing(true)}>
            {texts.replace}
          </Button>
        )}
        {question && !feedback_id && (
          <Button
            aria-label={texts.named(texts.irrelevant, name)}
            isPending={mark.isPending}
            onPress={() => mark.mutate({ params: { memory_id }, body: { question } })}
          >
            {texts.irrelevant}
          </Button>
        )}
        <Button
          icon="trash"
          isPending={isForgetting}
          aria-label={texts.named(texts.forget, name)}
          onPress={() => void forget()}
        >
          {texts.forget}
        </Button>
      </div>
      {feedback_id && (
        <p className="row small">
          <span className="badge warn">{texts.marked}</span>
          <Button
            look="quiet"
            aria-label={texts.named(texts.unmark, name)}
            isPending={unmark.isPending}
            onPress={() => unmark.mutate({ params: { memory_id, feedback_id } })}
          >
            {texts.unmark}
          </Button>
        </p>
      )}
      <SupersedeDialog memory={memory} isOpen={isReplacing} onClose={() => setReplacing(false)} />
    </li>
  )
}
