import { Suspense, useEffect, useState } from 'react'
import { isRunning } from '../../../shared/answer.ts'
import type { ChatMessage } from '../../../shared/contract/chat-messages.ts'
import type { ChatSession } from '../../../shared/contract/chat-sessions.ts'
import { sharing } from '../../features.ts'
import { chat } from '../../texts/chat.ts'
import { Button } from '../../ui/button.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { ScrollRegion } from '../../ui/scroll-region.tsx'
import { useFollowEnd } from '../../ui/use-follow-end.ts'
import { Composer } from './composer.tsx'
import { FindBar } from './find.tsx'
import { MessageList } from './message-list.tsx'
import { messagesIn, useMessages } from './messages-query.ts'
import { NoModelNotice, UnverifiedNotice } from './no-model.tsx'
import { TurnError } from './running-turn.tsx'
import { type ChatTurn, isStored, regenerateAnswer, sendDraft, stopTurn, useTurn } from './turns.ts'

const texts = chat.session

/** The messages above a turn that the server has not returned yet. */
const messagesBefore = (messages: readonly ChatMessage[], turn: ChatTurn | undefined) => {
  if (!turn) return messages
  const last = messages.findIndex(({ id }) => id === turn.afterId)
  return turn.afterId === null ? [] : last < 0 ? messages : messages.slice(0, last + 1)
}

interface SessionChatProps {
  session: ChatSession
  isFinding: boolean
  /** Closes the search. */
  onFound: () => void
}

/** The messages of a chat and the field for the next one. */
export const SessionChat = ({ session: { id }, isFinding, onFound }: SessionChatProps) => {
  const query = useMessages(id)
  const turn = useTurn(id)
  const [sharedMessage, setSharedMessage] = useState<string>()
  const messages = messagesIn(query.data)
  const shownTurn = turn && !isStored(turn, messages) ? turn : undefined
  const isAnswering = turn !== undefined && isRunning(turn)
  const shown = messagesBefore(messages, shownTurn)
  const question = messages.findLast(({ role }) => role === 'user')
  const end = useFollowEnd(shown[0]?.id)
  const regenerate =
    question &&
    (() => {
      // The button that was pressed is gone while the answer arrives.
      end.container.current?.focus()
      void regenerateAnswer(id, question)
    })
  /** Loads earlier messages until the one is among them, and leads to it. */
  const show = async ({ id: messageId }: ChatMessage) => {
    let loaded = query
    while (!messagesIn(loaded.data).some((each) => each.id === messageId) && loaded.hasNextPage)
      loaded = await loaded.fetchNextPage()
    // Drawn before the next frame.
    requestAnimationFrame(() => {
      const found = document.getElementById(messageId)
      found?.scrollIntoView({ block: 'center' })
      found?.focus({ preventScroll: true })
    })
  }
  return (
    <>
      {isFinding && (
        <FindBar sessionId={id} onChoose={(message) => void show(message)} onClose={onFound} />
      )}
      <ScrollRegion
        label={texts.messages}
        className="chat-messages"
        ref={end.container}
        onScroll={end.onScroll}
      >
        <div className="chat-column">
          {query.hasNextPage && (
            <Button
              isSmall
              isPending={query.isFetchingNextPage}
              onPress={() => void query.fetchNextPage()}
            >
              {texts.earlier}
            </Button>
          )}
          <Loaded query={query}>
            {() => (
              <MessageList
                sessionId={id}
                messages={shown}
                turn={shownTurn}
                tools={turn?.tools ?? []}
                onRegenerate={isAnswering ? undefined : regenerate}
                onReadPage={(page) => question && void regenerateAnswer(id, question, page)}
                onShare={setSharedMessage}
              />
            )}
          </Loaded>
        </div>
      </ScrollRegion>
      <Composer
        draftKey={id}
        isRunning={isAnswering}
        onSend={() => {
          end.follow()
          void sendDraft({ key: id })
        }}
        onStop={() => stopTurn(id)}
      >
        {end.isAway && (
          <Button isSmall icon="chevron" onPress={end.follow}>
            {texts.latest}
          </Button>
        )}
        <UnverifiedNotice />
        {!messages.length && <NoModelNotice />}
        {turn && <TurnError turnKey={id} turn={turn} onRetry={regenerate} />}
      </Composer>
      <Announcer turn={turn} />
      <Suspense>
        {sharing && sharedMessage && (
          <sharing.Dialog
            sessionId={id}
            messageId={sharedMessage}
            onClose={() => setSharedMessage(undefined)}
          />
        )}
      </Suspense>
    </>
  )
}

/** Long enough for most answers; a screen reader user reads longer ones in the page. */
const MAX_CHARACTERS = 1_000

/** Announces the end of an answer to screen readers, and not each part of it. */
const Announcer = ({ turn }: { turn: ChatTurn | undefined }) => {
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
