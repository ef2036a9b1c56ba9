import { useState } from 'react'
import { createKey } from '../../../shared/contract/keys.ts'
import { useMe } from '../../session/me.ts'
import { useAction } from '../../session/query.ts'
import { connect } from '../../texts/connect.ts'
import { Button } from '../../ui/button.tsx'
import { CopyBlock, copyText } from '../../ui/copy.tsx'
import { ErrorNotice, Notice } from '../../ui/notice.tsx'

const texts = connect.assistants
const PLACEHOLDER = 'svc_…'

interface KeySnippetProps {
  /** The name of the key that the button creates. */
  keyName: string
  text: (key: string) => string
}

/** Settings with an API key of the workspace. The key stays in the state of this component, and is gone when it unmounts. */
export const KeySnippet = ({ keyName, text }: KeySnippetProps) => {
  const [key, setKey] = useState<string>()
  const orgId = useMe()?.org?.id ?? null
  const create = useAction(createKey, {
    onSuccess: (created) => setKey(created.key),
  })
  return (
    <>
      <CopyBlock text={text(key ?? PLACEHOLDER)} />
      {create.error && <ErrorNotice error={create.error} />}
      {key && <Notice look="warn">{connect.keys.createdNote}</Notice>}
      {/* The button stays and keeps the focus. */}
      <p>
        <Button
          icon={key ? 'copy' : 'key'}
          isPending={create.isPending}
          onPress={() =>
            key ? copyText(text(key)) : create.mutate({ body: { name: keyName, org_id: orgId } })
          }
        >
          {key ? texts.copySettings : texts.createKey}
        </Button>
      </p>
    </>
  )
}
