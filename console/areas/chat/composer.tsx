import {
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from 'react'
import { CheckboxGroup, DropZone, Label, TextArea, TextField } from 'react-aria-components'
import { chatStream, listChatModels, TOOLS } from '../../../shared/contract/chat.ts'
import { characterCount } from '../../../shared/contract/common.ts'
import { useMe } from '../../session/me.ts'
import { useApi } from '../../session/query.ts'
import { chat } from '../../texts/chat.ts'
import { chatContext } from '../../texts/chat-context.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Checkbox, Select } from '../../ui/choice.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Menu } from '../../ui/menu.tsx'
import { AttachFilesButton, Attachments, AttachPageButton, uploadTo } from './attachments.tsx'
import { canSend, changeDraft, drafts } from './drafts.ts'
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

const modelsTexts = chatContext.models
const FIRST = 'first'

/** The model that answers the next messages of a chat; nothing where there is no choice. */
const ModelButton = ({ draftKey }: { draftKey: string }) => {
  const { provider } = drafts.use(draftKey)
  const isVerified = useMe()?.email_verified === true
  const models = useApi(listChatModels, {}, { enabled: isVerified }).data?.models ?? []
  const [first, ...others] = models.map(({ provider: id, model, is_available }) => ({
    id,
    label: [model ?? modelsTexts.local, !is_available && modelsTexts.unavailable]
      .filter(Boolean)
      .join(' · '),
  }))
  if (!first || others.length === 0) return null
  const options = [{ id: FIRST, label: modelsTexts.first(first.label) }, ...others]
  const chosen = options.find(({ id }) => id === provider) ?? options[0]
  return (
    <Menu
      label={modelsTexts.title}
      trigger={
        <Button isSmall look="quiet" aria-label={modelsTexts.choose(chosen?.label ?? '')}>
          <bdi className="truncate chat-model">{chosen?.label}</bdi>
        </Button>
      }
      choice={{
        label: modelsTexts.title,
        icon: 'chat',
        value: chosen?.id ?? FIRST,
        options,
        onChange: (id) => changeDraft(draftKey, { provider: id === FIRST ? null : id }),
      }}
      actions={[]}
    />
  )
}

const optionsTexts = chat.options
const DEPTHS = [
  { id: 'quick', label: optionsTexts.depths.quick },
  { id: 'deep', label: optionsTexts.depths.deep },
  { id: 'sage', label: optionsTexts.depths.sage },
] as const

/** How much is recalled for the next answers of a chat, and the tools that the model may use. */
const OptionsButton = ({ draftKey }: { draftKey: string }) => {
  const [isOpen, setOpen] = useState(false)
  const { depth, tools } = drafts.use(draftKey)
  const close = () => setOpen(false)
  return (
    <>
      <IconButton icon="filter" label={chat.composer.options} onPress={() => setOpen(true)} />
      <Dialog title={optionsTexts.title} isOpen={isOpen} onClose={close}>
        <Select
          label={optionsTexts.depth}
          options={DEPTHS}
          value={depth}
          onChange={(value) => changeDraft(draftKey, { depth: value })}
        />
        <CheckboxGroup
          className="field"
          value={[...tools]}
          onChange={(chosen) =>
            changeDraft(draftKey, { tools: TOOLS.filter((tool) => chosen.includes(tool)) })
          }
        >
          <Label className="label">{optionsTexts.tools}</Label>
          {TOOLS.map((tool) => (
            <Checkbox key={tool} value={tool}>
              {optionsTexts.toolNames[tool]}
            </Checkbox>
          ))}
          <span className="field-note">{optionsTexts.toolNote}</span>
        </CheckboxGroup>
        <div className="dialog-actions">
          <Button look="primary" onPress={close}>
            {optionsTexts.done}
          </Button>
        </div>
      </Dialog>
    </>
  )
}
