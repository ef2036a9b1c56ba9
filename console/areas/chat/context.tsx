import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiFailure } from '../../../shared/client.ts'
import {
  type ChatMessage,
  getMessageContext,
  type MessageContext,
} from '../../../shared/contract/chat-messages.ts'
import { keysOf } from '../../../shared/objects.ts'
import { useApi } from '../../session/query.ts'
import { chatContext } from '../../texts/chat-context.ts'
import { memoriesOf } from '../../texts/counts.ts'
import { number } from '../../texts/tools/numbers.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Loaded } from '../../ui/loaded.tsx'

const texts = chatContext.context
const PERCENT = 100

/** Opens what the model was given for an answer. */
export const ContextButton = ({ message }: { message: ChatMessage }) => {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <IconButton icon="info" label={texts.title} onPress={() => setOpen(true)} />
      <Dialog title={texts.title} isOpen={isOpen} onClose={close}>
        <Context message={message} />
        <div className="dialog-actions">
          <Button look="primary" onPress={close}>
            {texts.close}
          </Button>
        </div>
      </Dialog>
    </>
  )
}

const Context = ({ message: { id, session_id } }: { message: ChatMessage }) => {
  const query = useApi(getMessageContext, { params: { session_id, message_id: id } })
  // An earlier version of svc stored the answer.
  if (query.error instanceof ApiFailure && query.error.status === 404)
    return <p className="quiet">{texts.unknown}</p>
  return (
    <Loaded query={query}>
      {(context) => (
        <div className="stack">
          <Budget context={context} />
          <Memories context={context} />
          <section className="stack-small">
            <h3>{texts.instructions}</h3>
            <p className="user-text" dir="auto">
              {context.instructions || <span className="quiet">{texts.noInstructions}</span>}
            </p>
          </section>
        </div>
      )}
    </Loaded>
  )
}

const Budget = ({ context }: { context: MessageContext }) => {
  const { tokens, window, messages_given, messages_left_out, tools } = context
  const used = keysOf(texts.parts)
    .map((name) => [name, tokens[name]] as const)
    .filter(([, size]) => size > 0)
  const sum = used.reduce((total, [, size]) => total + size, 0)
  return (
    <section className="stack-small">
      <h3>{texts.budget(sum, window)}</h3>
      <div className="chat-context-bar" aria-hidden="true">
        {used.map(([name, size]) => (
          <span key={name} style={{ width: `${(size / window) * PERCENT}%` }} />
        ))}
      </div>
      <dl className="chat-context-parts small">
        {used.map(([name, size]) => (
          <div key={name} className="chat-context-part">
            <dt>{texts.parts[name]}</dt>
            <dd className="numeric">{number(size)}</dd>
          </div>
        ))}
      </dl>
      <p className="quiet small">
        {texts.messages(messages_given, messages_left_out)}
        {tools.length > 0 && ` ${texts.tools(tools.join(', '))}`}
      </p>
    </section>
  )
}

const Memories = ({ context: { memories, memories_found, memories_given } }: ContextProps) => (
  <section className="stack-small">
    <h3>
      {memories_found > memories_given
        ? texts.memoriesOfFound(memories_given, memories_found)
        : memoriesOf(memories_given)}
    </h3>
    {memories.length > 0 && (
      <ol className="stack-small">
        {memories.map(({ memory_id, content_text }) => (
          <li key={memory_id}>
            <Link to="/memories/$id" params={{ id: memory_id }} className="chat-memory" dir="auto">
              {content_text}
            </Link>
          </li>
        ))}
      </ol>
    )}
  </section>
)

interface ContextProps {
  context: MessageContext
}
