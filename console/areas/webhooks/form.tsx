import { useState } from 'react'
import { CheckboxGroup, Label } from 'react-aria-components'
import { CreateEventWebhook, type EventWebhook } from '../../../shared/contract/event-webhooks.ts'
import type { EventType } from '../../../shared/events.ts'
import { useAction } from '../../session/query.ts'
import { common } from '../../texts/common.ts'
import { webhooks as texts } from '../../texts/webhooks.ts'
import { Checkbox, Select } from '../../ui/choice.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { SecretView } from '../../ui/secret-view.tsx'
import { notify } from '../../ui/toast.tsx'
import type { WebhookPlace } from './place.ts'

const { url, description } = CreateEventWebhook.properties

/** The dialogs are there while they are open. */
interface DialogProps {
  place: WebhookPlace
  onClose: () => void
}

/** The secret stays in the state of this dialog, and is gone when it closes. */
export const CreateWebhookDialog = ({ place, onClose }: DialogProps) => {
  const [secret, setSecret] = useState<string>()
  const create = useAction(place.rows.create, { onSuccess: (created) => setSecret(created.secret) })
  return secret ? (
    <SecretDialog title={texts.createdTitle} secret={secret} onClose={onClose} />
  ) : (
    <Dialog title={texts.create} isOpen onClose={onClose}>
      <WebhookForm
        place={place}
        action={texts.create}
        isPending={create.isPending}
        error={create.error}
        onCancel={onClose}
        onSubmit={(body) => create.mutate({ params: place.params, body })}
      />
    </Dialog>
  )
}

interface EditDialogProps extends DialogProps {
  webhook: EventWebhook
}

export const EditWebhookDialog = ({ place, webhook, onClose }: EditDialogProps) => {
  const update = useAction(place.rows.update, {
    onSuccess: () => {
      notify(common.saved)
      onClose()
    },
  })
  const { webhook_id } = webhook
  return (
    <Dialog title={texts.edit} isOpen onClose={onClose}>
      <WebhookForm
        place={place}
        webhook={webhook}
        action={common.save}
        isPending={update.isPending}
        error={update.error}
        onCancel={onClose}
        onSubmit={(body) => update.mutate({ params: { ...place.params, webhook_id }, body })}
      />
    </Dialog>
  )
}

interface SecretDialogProps {
  title: string
  secret: string
  onClose: () => void
}

/** A secret that is shown once. */
export const SecretDialog = ({ title, secret, onClose }: SecretDialogProps) => (
  <Dialog title={title} isOpen onClose={onClose}>
    <SecretView
      secret={secret}
      texts={{ note: texts.secretNote, copy: texts.copySecret, done: texts.done }}
      onClose={onClose}
    />
  </Dialog>
)

interface WebhookFormProps {
  place: WebhookPlace
  webhook?: EventWebhook
  action: string
  isPending: boolean
  error: Error | null
  onSubmit: (body: { url: string; description: string; types: EventType[] | null }) => void
  onCancel: () => void
}

const CHOICES = [
  { id: 'all', label: texts.all },
  { id: 'some', label: texts.some },
] as const

const WebhookForm = ({ place, webhook, ...props }: WebhookFormProps) => {
  const [choice, setChoice] = useState<'all' | 'some'>(webhook?.types ? 'some' : 'all')
  const [types, setTypes] = useState<readonly string[]>(webhook?.types ?? [])
  const chosen = place.types.filter((type) => types.includes(type))
  const submit = (data: FormData) =>
    props.onSubmit({
      url: String(data.get('url')),
      description: String(data.get('description')),
      types: choice === 'all' ? null : chosen,
    })
  return (
    <Form onSubmit={submit} error={props.error} fields={['url', 'description']}>
      <TextField
        name="url"
        type="url"
        label={texts.url}
        note={texts.urlNote}
        isRequired
        maxLength={Number(url.maxLength)}
        defaultValue={webhook?.url ?? ''}
        placeholder="https://"
        autoFocus
      />
      <TextField
        name="description"
        label={texts.description}
        maxLength={Number(description.maxLength)}
        defaultValue={webhook?.description ?? ''}
      />
      <Select label={texts.events} options={CHOICES} value={choice} onChange={setChoice} />
      {choice === 'some' && (
        <CheckboxGroup className="check-grid" value={[...types]} onChange={setTypes}>
          <Label className="visually-hidden">{texts.some}</Label>
          {place.types.map((type) => (
            <Checkbox key={type} value={type}>
              <code>{type}</code>
            </Checkbox>
          ))}
        </CheckboxGroup>
      )}
      <DialogActions
        action={props.action}
        isPending={props.isPending}
        isDisabled={choice === 'some' && chosen.length === 0}
        onCancel={props.onCancel}
      />
    </Form>
  )
}
