import { type ClipboardEvent, type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { DropZone, Label, TextArea, TextField } from 'react-aria-components'
import { chatStream } from '../../../shared/contract/chat.ts'
import { characterCount } from '../../../shared/contract/common.ts'
import { chat } from '../../texts/chat.ts'
import { IconButton } from '../../ui/button.tsx'
import { AttachFilesButton, uploadTo } from './attach-files.tsx'
import { AttachPageButton } from './attach-page.tsx'
import { Attachments } from './attachments.tsx'
import { canSend, changeDraft, drafts } from './drafts.ts'
import { ModelButton } from './model-button.tsx'
import { OptionsButton } from './options.tsx'
import { VoiceButton } from './voice.tsx'

const texts = chat.composer
const MAX_CHARACTERS = Number(chatStream.body.properties.message.maxLength)

interface ComposerProps {
  /** The id of the session, or `NEW_CHAT`. */
  draftKey: string
  isRunning: boolean
  onSend: () => void
  onStop: () => void
  /** Shown above the field. */
  children?: ReactNode
}

/** The message that the user writes, with its attachments. Enter sends it. */
export const Composer = ({ draftKey, isRunning, onSend, onStop, children }: ComposerProps) => {
  const draft = drafts.use(draftKey)
  const field = useRef<HTMLTextAreaElement>(null)
  const upload = uploadTo(draftKey)
  const over = characterCount(draft.text) - MAX_CHARACTERS
  const isReady = canSend(draft) && !isRunning && over <= 0
  // A new place has its own draft: the field is ready for typing. Phones would open their keyboard.
  useEffect(() => {
    if (draftKey && matchMedia('(hover: hover)').matches) field.current?.focus()
  }, [draftKey])
  const send = () => {
    if (isReady) onSend()
  }
  // The button is gone afterwards.
  const stop = () => {
    onStop()
    field.current?.focus()
  }
  const press = (event: KeyboardEvent) => {
    // An input method ends its composition with Enter.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }
  const paste = (event: ClipboardEvent) => {
    const { files } = event.clipboardData
    if (!files.length) return
    event.preventDefault()
    upload([...files])
  }
  return (
    <DropZone
      className="chat-composer"
      aria-label={texts.drop}
      onDrop={async ({ items }) => {
        const dropped = items.flatMap((item) => (item.kind === 'file' ? item.getFile() : []))
        upload(await Promise.all(dropped))
      }}
    >
      {children}
      <Attachments draftKey={draftKey} />
      <TextField
        value={draft.text}
        onChange={(text) => changeDraft(draftKey, { text })}
        isInvalid={over > 0}
      >
        <Label className="visually-hidden">{texts.label}</Label>
        <TextArea
          ref={field}
          className="chat-input"
          dir="auto"
          rows={1}
          placeholder={texts.placeholder}
          onKeyDown={press}
          onPaste={paste}
        />
      </TextField>
      <div className="chat-composer-actions">
        <AttachFilesButton upload={upload} />
        <AttachPageButton draftKey={draftKey} />
        <VoiceButton draftKey={draftKey} />
        <OptionsButton draftKey={draftKey} />
        <ModelButton draftKey={draftKey} />
        <span className="grow field-error">{over > 0 && texts.tooLong(over)}</span>
        {isRunning ? (
          <IconButton icon="stop" look="primary" label={texts.stop} onPress={stop} />
        ) : (
          <IconButton
            icon="send"
            look="primary"
            label={texts.send}
            isDisabled={!isReady}
            onPress={send}
          />
        )}
      </div>
    </DropZone>
  )
}
