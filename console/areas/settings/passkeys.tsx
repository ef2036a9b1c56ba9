import { browserSupportsWebAuthn } from '@simplewebauthn/browser'
import { useState } from 'react'
import { listPasskeys, type Passkey, removePasskey } from '../../../shared/contract/passkeys.ts'
import { useApi } from '../../session/query.ts'
import { common } from '../../texts/common.ts'
import { settings } from '../../texts/settings.ts'
import { Button } from '../../ui/button.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { EmptyState, Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { RemovalDialog } from '../../ui/removal-dialog.tsx'
import { Time } from '../../ui/time.tsx'
import { AddPasskeyDialog, RenamePasskeyDialog } from './passkey-dialogs.tsx'

const texts = settings.passkeys

export const PasskeysPage = () => {
  const passkeys = useApi(listPasskeys, {})
  const [isAdding, setAdding] = useState(false)
  const [renaming, setRenaming] = useState<Passkey>()
  const [removing, setRemoving] = useState<Passkey>()
  const isSupported = browserSupportsWebAuthn()
  const add = isSupported && (
    <Button look="primary" icon="plus" onPress={() => setAdding(true)}>
      {texts.add}
    </Button>
  )
  return (
    <Page title={texts.title} intro={texts.intro} actions={passkeys.data?.length ? add : undefined}>
      {!isSupported && <Notice look="bad">{texts.notSupported}</Notice>}
      <Loaded query={passkeys}>
        {(list) =>
          list.length ? (
            <ul className="list">
              {list.map((passkey) => (
                <PasskeyRow
                  key={passkey.id}
                  passkey={passkey}
                  onRename={() => setRenaming(passkey)}
                  onRemove={() => setRemoving(passkey)}
                />
              ))}
            </ul>
          ) : (
            <EmptyState icon="key" title={texts.empty} actions={add}>
              {texts.emptyNote}
            </EmptyState>
          )
        }
      </Loaded>
      <AddPasskeyDialog isOpen={isAdding} onClose={() => setAdding(false)} />
      <RenamePasskeyDialog passkey={renaming} onClose={() => setRenaming(undefined)} />
      <RemovalDialog
        row={removePasskey}
        entry={removing && { name: removing.name, args: { params: { passkey_id: removing.id } } }}
        texts={{
          title: texts.removeTitle,
          note: texts.removeNote,
          action: texts.remove,
          done: texts.removed,
        }}
        onClose={() => setRemoving(undefined)}
      />
    </Page>
  )
}

interface PasskeyRowProps {
  passkey: Passkey
  onRename: () => void
  onRemove: () => void
}

const PasskeyRow = ({ passkey, onRename, onRemove }: PasskeyRowProps) => {
  const { name, is_synced, created_at, last_used_at } = passkey
  return (
    <li className="setting">
      <div className="grow">
        <strong>
          <bdi>{name}</bdi>
        </strong>{' '}
        {is_synced && <span className="badge">{texts.synced}</span>}
        <p className="quiet small">
          {texts.created} <Time iso={created_at} /> · {texts.lastUsed}{' '}
          {last_used_at ? <Time iso={last_used_at} /> : common.never}
        </p>
      </div>
      <Button aria-label={texts.renameNamed(name)} onPress={onRename}>
        {texts.rename}
      </Button>
      <Button look="danger" aria-label={texts.removeNamed(name)} onPress={onRemove}>
        {texts.remove}
      </Button>
    </li>
  )
}
