import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { ApiFailure } from '../../../shared/client.ts'
import {
  type EmailThreadDetail,
  getEmailThread,
  sendEmail,
} from '../../../shared/contract/outbound-email.ts'
import { fieldErrorsOf } from '../../../shared/failure.ts'
import { useAction, useApi } from '../../session/query.ts'
import { common } from '../../texts/common.ts'
import { email as texts } from '../../texts/people.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { notify } from '../../ui/toast.tsx'

const route = getRouteApi('/people/email/new')
const { subject, text } = sendEmail.body.properties

const addressesIn = (list: string): string[] =>
  list
    .split(/[\s,;]+/)
    .map((address) => address.trim())
    .filter(Boolean)

/** The API reports the position of each invalid address; the form names the address. */
const withAddresses = (error: Error | null, to: readonly string[]): Error | null => {
  if (!(error instanceof ApiFailure)) return error
  const faults = fieldErrorsOf(error.detail)
  const invalid = faults.flatMap(({ loc }) =>
    loc[1] === 'to' && typeof loc[2] === 'number' ? [to[loc[2]] ?? ''] : [],
  )
  if (invalid.length === 0) return error
  const others = faults.filter(({ loc }) => loc[1] !== 'to')
  const fault = { loc: ['body', 'to'], msg: texts.invalid(invalid.join(', ')) }
  return new ApiFailure(error.status, [fault, ...others], error.requestId)
}

export const ComposeEmailPage = () => {
  const navigate = useNavigate()
  const { thread: threadId } = route.useSearch()
  const [to, setTo] = useState<string[]>([])
  const send = useAction(sendEmail, {
    onSuccess: (_, { body }) => {
      notify(texts.sent(new Set(body.to).size))
      void navigate(
        threadId
          ? { to: '/people/email/$threadId', params: { threadId } }
          : { to: '/people/email' },
      )
    },
  })
  const error = useMemo(() => withAddresses(send.error, to), [send.error, to])
  const submit = (data: FormData) => {
    const addresses = addressesIn(String(data.get('to')))
    setTo(addresses)
    send.mutate({
      body: {
        to: addresses,
        subject: String(data.get('subject')),
        text: String(data.get('text')),
        ...(threadId && { reply_to_thread: threadId }),
      },
    })
  }
  const form = { error, isPending: send.isPending, onSubmit: submit }
  return (
    <Page
      title={threadId ? texts.continue : texts.compose}
      intro={
        <Link to="/people/email" className="back-link">
          <Icon name="back" />
          {texts.back}
        </Link>
      }
    >
      {threadId ? <ContinueForm threadId={threadId} {...form} /> : <ComposeForm {...form} />}
    </Page>
  )
}

interface FormProps {
  error: Error | null
  isPending: boolean
  onSubmit: (data: FormData) => void
}

const ContinueForm = ({ threadId, ...form }: FormProps & { threadId: string }) => (
  <Loaded query={useApi(getEmailThread, { params: { thread_id: threadId }, query: { limit: 1 } })}>
    {(thread) => <ComposeForm thread={thread} {...form} />}
  </Loaded>
)

interface ComposeFormProps extends FormProps {
  /** The thread that the email continues. */
  thread?: EmailThreadDetail
}

const ComposeForm = ({ thread, error, isPending, onSubmit }: ComposeFormProps) => {
  const recipients = thread?.messages[0]?.recipients.map(({ address }) => address) ?? []
  return (
    <Form onSubmit={onSubmit} error={error} fields={['to', 'subject', 'text']}>
      <TextField
        name="to"
        label={texts.to}
        note={texts.toNote}
        rows={2}
        isRequired
        defaultValue={recipients.join('\n')}
        autoFocus
      />
      <TextField
        name="subject"
        label={texts.subject}
        note={thread && texts.subjectNote}
        isRequired
        maxLength={Number(subject.maxLength)}
        defaultValue={thread?.subject ?? ''}
      />
      <TextField
        name="text"
        label={texts.text}
        rows={10}
        isRequired
        maxLength={Number(text.maxLength)}
      />
      <div className="form-actions">
        <Button type="submit" look="primary" icon="send" isPending={isPending}>
          {texts.send}
        </Button>
        <Link to="/people/email" className="button">
          {common.cancel}
        </Link>
      </div>
    </Form>
  )
}
