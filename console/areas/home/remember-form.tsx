import { remember } from '../../../shared/contract/memories.ts'
import { useKeptState } from '../../session/drafts.ts'
import { useAction } from '../../session/query.ts'
import { home } from '../../texts/home.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { notify } from '../../ui/toast.tsx'

const texts = home.remember

/** Other parts of the screen lead to this field. */
export const REMEMBER_FIELD = 'remember-content'

export const RememberForm = () => {
  const [content, setContent] = useKeptState('home memory', () => '')
  const action = useAction(remember, {
    onSuccess: ({ deduplicated }) => {
      notify(deduplicated ? texts.duplicate : texts.done)
      setContent('')
    },
  })
  return (
    <Form
      onSubmit={() => action.mutate({ body: { content } })}
      error={action.error}
      fields={['content']}
    >
      <TextField
        id={REMEMBER_FIELD}
        name="content"
        label={texts.label}
        isLabelHidden
        placeholder={texts.placeholder}
        rows={3}
        isRequired
        value={content}
        onChange={setContent}
      />
      <div className="form-actions">
        <Button type="submit" look="primary" isPending={action.isPending}>
          {texts.action}
        </Button>
      </div>
    </Form>
  )
}
