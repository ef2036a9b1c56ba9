import { useState } from 'react'
import { CheckboxGroup, Label } from 'react-aria-components'
import { TOOLS } from '../../../shared/contract/chat.ts'
import { chat } from '../../texts/chat.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Checkbox, Select } from '../../ui/choice.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { changeDraft, drafts } from './drafts.ts'

const texts = chat.options
const DEPTHS = [
  { id: 'quick', label: texts.depths.quick },
  { id: 'deep', label: texts.depths.deep },
  { id: 'sage', label: texts.depths.sage },
] as const

/** How much is recalled for the next answers of a chat, and the tools that the model may use. */
export const OptionsButton = ({ draftKey }: { draftKey: string }) => {
  const [isOpen, setOpen] = useState(false)
  const { depth, tools } = drafts.use(draftKey)
  const close = () => setOpen(false)
  return (
    <>
      <IconButton icon="filter" label={chat.composer.options} onPress={() => setOpen(true)} />
      <Dialog title={texts.title} isOpen={isOpen} onClose={close}>
        <Select
          label={texts.depth}
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
          <Label className="label">{texts.tools}</Label>
          {TOOLS.map((tool) => (
            <Checkbox key={tool} value={tool}>
              {texts.toolNames[tool]}
            </Checkbox>
          ))}
          <span className="field-note">{texts.toolNote}</span>
        </CheckboxGroup>
        <div className="dialog-actions">
          <Button look="primary" onPress={close}>
            {texts.done}
          </Button>
        </div>
      </Dialog>
    </>
  )
}
