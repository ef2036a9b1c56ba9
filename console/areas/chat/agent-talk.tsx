import { useState } from 'react'
import { useAnswer } from '../../../clients/npm/use-answer.ts'
import { type Answer, isRunning } from '../../../shared/answer.ts'
import { agentTimeline, getAgent, listAgents } from '../../../shared/contract/agents.ts'
import { talkStream } from '../../../shared/contract/talk.ts'
import { callStream } from '../../session/client.ts'
import { queryClient } from '../../session/query-client.ts'
import { chat } from '../../texts/chat.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { RunningAnswer } from './running-turn.tsx'

const texts = chat.agents
const { message: schema } = talkStream.body.properties

const refetchAgent = (): Promise<unknown> =>
  Promise.all(
    [agentTimeline, getAgent, listAgents].map(({ name }) =>
      queryClient.invalidateQueries({ queryKey: [name] }),
    ),
  )

/** One turn of an agent, while this screen is open. */
const useTalk = (slug: string) => {
  const { answer, ask, stop, clear } = useAnswer(
    (message: string, signal) =>
      callStream(talkStream, { body: { message, agent_slug: slug }, signal }),
    { lostText: chat.answer.lost },
  )
  const send = async (message: string): Promise<Answer> => {
    const ended = await ask(message)
    await refetchAgent()
    // The timeline has the complete exchange now.
    if (ended.phase === 'done') clear()
    return ended
  }
  return { answer, send, stop }
}

/** Sends messages as the agent, as its program does. */
export const AgentTalk = ({ slug }: { slug: string }) => {
  const [text, setText] = useState('')
  const { answer, send, stop } = useTalk(slug)
  const isAnswering = answer !== undefined && isRunning(answer)
  const submit = async () => {
    const message = text
    setText('')
    const { phase, messageId } = await send(message)
    if (phase !== 'done' && messageId === null) setText((typed) => typed || message)
  }
  return (
    <section className="card stack">
      <h2>{texts.talk}</h2>
      <TextField
        label={texts.talkLabel}
        note={texts.talkNote}
        rows={3}
        value={text}
        onChange={setText}
        maxLength={Number(schema.maxLength)}
      />
      <div className="form-actions">
        {isAnswering ? (
          <Button icon="stop" onPress={stop}>
            {texts.stop}
          </Button>
        ) : (
          <Button
            icon="send"
            look="primary"
            isDisabled={!text.trim()}
            onPress={() => void submit()}
          >
            {texts.send}
          </Button>
        )}
      </div>
      {answer && <RunningAnswer answer={answer} />}
      {answer?.error && <ErrorNotice error={answer.error} />}
      <div className="visually-hidden" role="status">
        {isAnswering && chat.answer.waiting}
      </div>
    </section>
  )
}
