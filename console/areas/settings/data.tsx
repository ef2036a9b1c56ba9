import { useState } from 'react'
import { deleteAccount } from '../../../shared/contract/deletion.ts'
import { useMutationOnce } from '../../session/action.ts'
import { useMe } from '../../session/me.ts'
import { useAction } from '../../session/query.ts'
import { leaveEverywhere } from '../../session/token.ts'
import { settings } from '../../texts/settings.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { ErrorNotice, Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { notify } from '../../ui/toast.tsx'
import { EXPORTS } from './exports.ts'

const texts = settings.data

const KINDS = ['memories', 'chats', 'account'] as const

export const DataPage = () => {
  const [isDeleting, setDeleting] = useState(false)
  return (
    <Page title={texts.title} intro={texts.intro}>
      <section className="stack-small">
        <h2>{texts.exportTitle}</h2>
        <ul className="list">
          {KINDS.map((kind) => (
            <ExportRow key={kind} kind={kind} />
          ))}
        </ul>
      </section>
      <section className="card danger-zone stack-small">
        <h2>{texts.deleteTitle}</h2>
        <p className="quiet">{texts.deleteNote}</p>
        <div>
          <Button look="danger" icon="trash" onPress={() => setDeleting(true)}>
            {texts.delete}
          </Button>
        </div>
      </section>
      <DeleteAccountDialog isOpen={isDeleting} onClose={() => setDeleting(false)} />
    </Page>
  )
}

const ExportRow = ({ kind }: { kind: (typeof KINDS)[number] }) => {
  const { label, note, file } = texts.exports[kind]
  const org = useMe()?.org
  const [count, setCount] = useState(0)
  const save = useMutationOnce({
    mutationFn: () => EXPORTS[kind](setCount),
    onSuccess: (content) => {
      saveFile(file, content)
      notify(texts.done(file))
    },
  })
  return (
    <li className="stack-small">
      <div className="setting">
        <div className="grow">
          <strong>{label}</strong>
          <p className="quiet small">
            {save.isPending && count > 0 ? texts.progress(count) : note}
          </p>
          {kind === 'memories' && org && (
            <p className="small">{texts.exports.memories.ofOrganization(org.name)}</p>
          )}
        </div>
        <Button
          icon="download"
          aria-label={texts.downloadNamed(label)}
          isPending={save.isPending}
          onPress={() => save.mutate()}
        >
          {texts.download}
        </Button>
      </div>
      {save.error && <ErrorNotice error={save.error} onRetry={() => save.mutate()} />}
    </li>
  )
}

interface DeleteAccountDialogProps {
  isOpen: boolean
  onClose: () => void
}

/**
 * Deletes after two confirmations: the typed address, and the password. The API reads the one that the
 * account has; the console does not know whether there is a password.
 */
const DeleteAccountDialog = ({ isOpen, onClose }: DeleteAccountDialogProps) => {
  const user = useMe()
  const [mismatch, setMismatch] = useState<Error | null>(null)
  const remove = useAction(deleteAccount, { onSuccess: () => leaveEverywhere() })
  const close = () => {
    remove.reset()
    setMismatch(null)
    onClose()
  }
  const submit = (data: FormData) => {
    const confirm = String(data.get('confirm')).trim()
    const password = String(data.get('password'))
    const isConfirmed = confirm.toLowerCase() === user?.email.toLowerCase()
    setMismatch(isConfirmed ? null : new Error(texts.confirmMismatch))
    if (isConfirmed) remove.mutate({ body: { confirm, ...(password && { password }) } })
  }
  return (
    <Dialog title={texts.confirmTitle} isOpen={isOpen} onClose={close}>
      <Notice look="bad">{texts.deleteNote}</Notice>
      <Form onSubmit={submit} error={mismatch ?? remove.error} fields={['confirm', 'password']}>
        <TextField
          name="confirm"
          label={texts.confirmLabel}
          note={texts.confirmNote(user?.email ?? '')}
          isRequired
          autoComplete="off"
          autoFocus
        />
        <PasswordField
          name="password"
          label={texts.password}
          note={texts.passwordNote}
          autoComplete="current-password"
        />
        <DialogActions
          action={texts.confirm}
          isDanger
          isPending={remove.isPending || remove.isSuccess}
          onCancel={close}
        />
      </Form>
    </Dialog>
  )
}
