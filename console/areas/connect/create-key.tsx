import { useState } from 'react'
import { createKey } from '../../../shared/contract/keys.ts'
import { listOrgs } from '../../../shared/contract/organizations.ts'
import { useMe } from '../../session/me.ts'
import { useAction, useApi } from '../../session/query.ts'
import { connect } from '../../texts/connect.ts'
import { Select } from '../../ui/choice.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { SecretView } from '../../ui/secret-view.tsx'
import { isoOf } from '../../ui/zone.ts'

import { LIMIT_OPTIONS, scopesOf } from './limits.tsx'

const texts = connect.keys
const { name } = createKey.body.properties
/** The id of the choice without an organization. */
const PERSONAL = ''

/** The key stays in the state of this dialog, and is gone when it closes. */
export const CreateKeyDialog = ({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) => {
  const [secret, setSecret] = useState<string>()
  const close = () => {
    onClose()
    setSecret(undefined)
  }
  return (
    <Dialog title={secret ? texts.created : texts.create} isOpen={isOpen} onClose={close}>
      {secret ? (
        <SecretView
          secret={secret}
          texts={{ note: texts.createdNote, copy: texts.copy, done: texts.done }}
          onClose={close}
        />
      ) : (
        <CreateKeyForm onCreated={setSecret} onCancel={close} />
      )}
    </Dialog>
  )
}

interface CreateKeyFormProps {
  onCreated: (key: string) => void
  onCancel: () => void
}

const CreateKeyForm = ({ onCreated, onCancel }: CreateKeyFormProps) => {
  const orgs = useApi(listOrgs, {}).data ?? []
  const [chosen, setChosen] = useState<string>()
  const [may, setMay] = useState<(typeof LIMIT_OPTIONS)[number]['id']>('all')
  const current = useMe()?.org?.id ?? PERSONAL
  const orgId = chosen ?? current
  const create = useAction(createKey, {
    onSuccess: ({ key }) => onCreated(key),
  })
  const submit = (data: FormData) => {
    const expires = data.get('expires_at')
    create.mutate({
      body: {
        name: String(data.get('name')),
        org_id: orgId === PERSONAL ? null : orgId,
        expires_at: expires ? isoOf(`${expires}T00:00`) : null,
        scopes: scopesOf(may),
      },
    })
  }
  return (
    <Form onSubmit={submit} error={create.error} fields={['name', 'expires_at']}>
      <TextField
        name="name"
        label={texts.name}
        note={texts.nameNote}
        isRequired
        maxLength={Number(name.maxLength)}
        autoFocus
      />
      {orgs.length > 0 && (
        <Select
          label={texts.org}
          note={texts.orgNote}
          value={orgId}
          onChange={setChosen}
          options={[
            { id: PERSONAL, label: texts.personal },
            ...orgs.map((org) => ({ id: org.id, label: org.name })),
          ]}
        />
      )}
      <Select label={connect.limits.may} options={LIMIT_OPTIONS} value={may} onChange={setMay} />
      <TextField name="expires_at" type="date" label={texts.expires} note={texts.expiresNote} />
      <DialogActions action={texts.create} isPending={create.isPending} onCancel={onCancel} />
    </Form>
  )
}
