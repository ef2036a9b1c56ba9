import { useState } from 'react'
import { useMutationOnce } from '../../session/action.ts'
import { useMe } from '../../session/me.ts'
import { settings } from '../../texts/settings.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { notify } from '../../ui/toast.tsx'
import { DeleteAccountDialog } from './delete-account.tsx'
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
