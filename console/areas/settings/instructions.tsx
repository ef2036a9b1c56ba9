import { useState } from 'react'
import { characterCount } from '../../../shared/contract/common.ts'
import { getInstructions, setInstructions } from '../../../shared/contract/instructions.ts'
import { useAction, useApi } from '../../session/query.ts'
import { common } from '../../texts/common.ts'
import { settings } from '../../texts/settings.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { notify } from '../../ui/toast.tsx'

const texts = settings.instructions
/** The text must be shorter than 2,000 characters (contract of `setInstructions`). */
const MAX_CHARACTERS = 1999

export const InstructionsPage = () => {
  const instructions = useApi(getInstructions, {})
  return (
    <Page title={texts.title} intro={texts.intro}>
      <Loaded query={instructions}>{(data) => <InstructionsForm {...data} />}</Loaded>
    </Page>
  )
}

const InstructionsForm = ({ instructions }: { instructions: string }) => {
  const [text, setText] = useState(instructions)
  const save = useAction(setInstructions, {
    onSuccess: () => notify(texts.saved),
  })
  const left = MAX_CHARACTERS - characterCount(text.trim())
  return (
    <Form
      onSubmit={() => save.mutate({ body: { instructions: text } })}
      error={save.error}
      fields={['instructions']}
    >
      <TextField
        name="instructions"
        label={texts.label}
        note={left < 0 ? texts.over(-left) : texts.left(left)}
        rows={10}
        value={text}
        onChange={setText}
        isInvalid={left < 0}
      />
      <div className="form-actions">
        <Button
          type="submit"
          look="primary"
          isPending={save.isPending}
          isDisabled={text.trim() === instructions || left < 0}
        >
          {common.save}
        </Button>
      </div>
    </Form>
  )
}
