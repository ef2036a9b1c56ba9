import { type KeyboardEvent, useEffect, useRef } from 'react'
import { type DirectMessage, sendDirectMessage } from '../../../shared/contract/dm.ts'
import { useKeptState } from '../../session/drafts.ts'
import { useAction } from '../../session/query.ts'
import { directMessages as texts } from '../../texts/people.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'

interface ComposerProps {
  threadId: string
  peer: string
  replyTo: DirectMessage | undefined
  onReplyEnd: () => void
}

const MAX_LENGTH = Number(sendDirectMessage.body.properties.content.maxLength)
/** The count is shown when this few characters are left. */
const COUNT_BELOW = 500
const MENTION = '@icog'

/** Writes a message. The text stays until the server has it. */
export const Composer = ({ threadId, peer, replyTo, onReplyEnd }: ComposerProps) => {
  const [text, setText] = useKeptState(`message ${threadId}`, () => '')
  const form = useRef<HTMLFormElement>(null)
  const send = useAction(sendDirectMessage, {
    onSuccess: () => {
      setText('')
      onReplyEnd()
    },
  })
  const focus = () => form.current?.querySelector('textarea')?.focus()
  useEffect(() => {
    if (replyTo) form.current?.querySelector('textarea')?.focus()
  }, [replyTo])
  const submit = () => {
    const content = text.trim()
    if (!content || send.isPending) return
    const reply = replyTo && { reply_to_message_id: replyTo.id }
    send.mutate({ params: { thread_id: threadId }, body: { content, ...reply } })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    submit()
  }
  const left = MAX_LENGTH - text.length
  return (
    <form
      ref={form}
      className="dm-composer"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      {send.error && <ErrorNotice error={send.error} />}
      {replyTo && (
        <div className="row spread dm-replying">
          <span className="truncate grow small">
            {texts.replyingTo(replyTo.author_display_name)}: {replyTo.content}
          </span>
          <IconButton icon="close" label={texts.cancelReply} isSmall onPress={onReplyEnd} />
        </div>
      )}
      <TextField
        label={texts.message}
        isLabelHidden
        rows={2}
        placeholder={texts.placeholder(peer)}
        value={text}
        onChange={setText}
        onKeyDown={onKeyDown}
        maxLength={MAX_LENGTH}
      />
      <div className="row">
        <Button
          isSmall
          look="quiet"
          onPress={() => {
            if (!text.includes(MENTION)) setText(`${MENTION} ${text}`)
            focus()
          }}
        >
          {texts.mention}
        </Button>
        <span className="quiet small grow">
          {text.includes(MENTION) ? texts.mentionNote : texts.sendHint}
          {left < COUNT_BELOW && ` ${texts.charactersLeft(left)}`}
        </span>
        <Button type="submit" look="primary" icon="send" isPending={send.isPending}>
          {texts.send}
        </Button>
      </div>
    </form>
  )
}
