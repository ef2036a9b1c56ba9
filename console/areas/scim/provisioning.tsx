import { useState } from 'react'
import type { Organization } from '../../../shared/contract/organizations.ts'
import {
  createScimToken,
  listScimTokens,
  revokeScimToken,
  type ScimToken,
} from '../../../shared/contract/scim-tokens.ts'
import { useAction, useApi } from '../../session/query.ts'
import { common } from '../../texts/common.ts'
import { scim as texts } from '../../texts/scim.ts'
import { Button } from '../../ui/button.tsx'
import { CopyBlock } from '../../ui/copy.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { RemovalDialog } from '../../ui/removal-dialog.tsx'
import { SecretView } from '../../ui/secret-view.tsx'
import { Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'

/** The address and tokens of an identity provider, and the number of its users. */
export const Provisioning = ({ org }: { org: Organization }) => {
  const [isCreating, setCreating] = useState(false)
  const [revoking, setRevoking] = useState<ScimToken>()
  const query = useApi(listScimTokens, { params: { org_id: org.id } })
  const isOwner = org.role === 'owner'
  return (
    <div className="stack-small">
      <h2>{texts.title}</h2>
      <p className="quiet">{texts.intro}</p>
      <Loaded query={query} lines={1}>
        {({ base_url, user_count, group_count, tokens }) => (
          <>
            <CopyBlock text={base_url} label={texts.copyAddress} />
            <p className="quiet small">{texts.provisioned(user_count, group_count)}</p>
            {tokens.length ? (
              <TokenTable tokens={tokens} onRevoke={setRevoking} />
            ) : (
              <p className="quiet">{texts.none}</p>
            )}
            {isOwner ? (
              <div>
                <Button onPress={() => setCreating(true)}>{texts.create}</Button>
              </div>
            ) : (
              <p className="quiet small">{texts.ownersOnly}</p>
            )}
          </>
        )}
      </Loaded>
      <CreateDialog org={org} isOpen={isCreating} onClose={() => setCreating(false)} />
      <RemovalDialog
        row={revokeScimToken}
        entry={
          revoking && {
            name: revoking.name,
            args: { params: { org_id: org.id, token_id: revoking.id } },
          }
        }
        texts={{
          title: texts.revokeTitle,
          note: texts.revokeNote,
          action: texts.revoke,
          done: texts.revoked,
        }}
        onClose={() => setRevoking(undefined)}
      />
    </div>
  )
}

interface TokenTableProps {
  tokens: readonly ScimToken[]
  onRevoke: (token: ScimToken) => void
}

const TokenTable = ({ tokens, onRevoke }: TokenTableProps) => (
  <Table label={texts.list} columns={[texts.name, texts.lastUsed, '']}>
    {tokens.map((token) => (
      <tr key={token.id}>
        <td>
          <bdi>{token.name}</bdi>
        </td>
        <td>{token.last_used_at ? <Time iso={token.last_used_at} /> : common.never}</td>
        <td className="row-actions">
          <Button
            isSmall
            look="danger"
            aria-label={texts.revokeNamed(token.name)}
            onPress={() => onRevoke(token)}
          >
            {texts.revoke}
          </Button>
        </td>
      </tr>
    ))}
  </Table>
)

interface CreateDialogProps {
  org: Organization
  isOpen: boolean
  onClose: () => void
}

/** The token stays in the state of this dialog, and is gone when it closes. */
const CreateDialog = ({ org, isOpen, onClose }: CreateDialogProps) => {
  const [secret, setSecret] = useState<string>()
  const create = useAction(createScimToken, { onSuccess: ({ token }) => setSecret(token) })
  const close = () => {
    onClose()
    setSecret(undefined)
    create.reset()
  }
  const submit = (data: FormData) =>
    create.mutate({ params: { org_id: org.id }, body: { name: String(data.get('name')) } })
  return (
    <Dialog title={secret ? texts.created : texts.create} isOpen={isOpen} onClose={close}>
      {secret ? (
        <SecretView
          secret={secret}
          texts={{ note: texts.createdNote, copy: texts.copy, done: texts.done }}
          onClose={close}
        />
      ) : (
        <Form onSubmit={submit} error={create.error} fields={['name']}>
          <TextField
            name="name"
            label={texts.name}
            note={texts.nameNote}
            isRequired
            maxLength={Number(createScimToken.body.properties.name.maxLength)}
            autoFocus
          />
          <DialogActions action={texts.create} isPending={create.isPending} onCancel={close} />
        </Form>
      )}
    </Dialog>
  )
}
