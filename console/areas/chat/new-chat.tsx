import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { isRunning } from '../../../shared/answer.ts'
import { suggest } from '../../../shared/contract/suggest.ts'
import { useMe } from '../../session/me.ts'
import { useApi } from '../../session/query.ts'
import { chat } from '../../texts/chat.ts'
import { Composer } from './composer.tsx'
import { changeDraft, NEW_CHAT } from './drafts.ts'
import { ChatHeader } from './header.tsx'
import { NoModelNotice, UnverifiedNotice } from './no-model.tsx'
import { RunningTurn, TurnError } from './running-turn.tsx'
import { sendDraft, stopTurn, useTurn } from './turns.ts'

const texts = chat.start

/** A chat without messages. It gets its own address when its first answer begins. */
export const NewChatPage = () => {
  const turn = useTurn(NEW_CHAT)
  const navigate = useNavigate()
  const isMounted = useRef(false)
  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
    }
  }, [])
  const isAnswering = turn !== undefined && isRunning(turn)
  const onSession = (sessionId: string) => {
    if (isMounted.current)
      void navigate({ to: '/chat/$sessionId', params: { sessionId }, search: true, replace: true })
  }
  const send = () => void sendDraft({ key: NEW_CHAT, onSession })
  return (
    <div className="chat-session">
      <ChatHeader title={texts.title} />
      <div className="chat-messages">
        <div className="chat-start">
          <UnverifiedNotice />
          {isAnswering ? (
            <RunningTurn turn={turn} />
          ) : (
            <>
              <h2>{texts.heading}</h2>
              <p className="quiet">{texts.intro}</p>
              <Suggestions
                onChoose={(text) => {
                  changeDraft(NEW_CHAT, { text })
                  send()
                }}
              />
            </>
          )}
          <NoModelNotice />
        </div>
      </div>
      <Composer
        draftKey={NEW_CHAT}
        isRunning={isAnswering}
        onSend={send}
        onStop={() => stopTurn(NEW_CHAT)}
      >
        {turn && <TurnError turnKey={NEW_CHAT} turn={turn} />}
      </Composer>
    </div>
  )
}

const Suggestions = ({ onChoose }: { onChoose: (text: string) => void }) => {
  const user = useMe()
  const { data } = useApi(suggest, {}, { enabled: user?.email_verified === true })
  if (!data) return <div className="chat-suggestions" />
  return (
    <ul className="chat-suggestions plain" aria-label={texts.suggestions}>
      {data.suggestions.map((text) => (
        <li key={text}>
          <button type="button" className="chat-suggestion" onClick={() => onChoose(text)}>
            <bdi>{text}</bdi>
          </button>
        </li>
      ))}
    </ul>
  )
}
