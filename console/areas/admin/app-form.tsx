import { useState } from 'react'
import { APP_SCOPES } from '../../../shared/contract/app-scopes.ts'
import type { CreateManagedClient, ManagedClient } from '../../../shared/contract/oauth-clients.ts'
import { apps as texts } from '../../texts/apps.ts'
import { common } from '../../texts/common.ts'
import { Checkbox } from '../../ui/choice.tsx'
import { DialogActions } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'

const FIELDS = ['name', 'redirect_uris', 'post_logout_redirect_uris', 'backchannel_logout_uri']
const DEFAULT_SCOPES: ManagedClient['scopes'] = ['openid', 'profile', 'email']
const MAX_NAME = 100

const linesOf = (value: FormDataEntryValue | null): string[] =>
  String(value ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

interface AppFormProps {
  /** Absent for a new app. */
  app?: ManagedClient
  change: { isPending: boolean; error: Error | null }
  onSubmit: (fields: CreateManagedClient) => void
  onCancel: () => void
}

/** The fields of an app. Whether it has a secret is decided when it is created. */
export const AppForm = ({ app, change, onSubmit, onCancel }: AppFormProps) => {
  const [scopes, setScopes] = useState<readonly string[]>(app?.scopes ?? DEFAULT_SCOPES)
  const [isConfidential, setConfidential] = useState(app?.confidential ?? true)
  const [skips, setSkips] = useState(app?.skips_consent ?? false)
  const submit = (data: FormData) =>
    onSubmit({
      name: String(data.get('name')),
      redirect_uris: linesOf(data.get('redirect_uris')),
      post_logout_redirect_uris: linesOf(data.get('post_logout_redirect_uris')),
      backchannel_logout_uri: String(data.get('backchannel_logout_uri')).trim() || null,
      scopes: APP_SCOPES.filter((scope) => scopes.includes(scope)),
      confidential: isConfidential,
      skips_consent: skips,
    })
  return (
    <Form onSubmit={submit} error={change.error} fields={FIELDS}>
      <TextField
        name="name"
        label={texts.name}
        note={texts.nameNote}
        defaultValue={app?.name ?? ''}
        isRequired
        maxLength={MAX_NAME}
        autoFocus
      />
      <TextField
        name="redirect_uris"
        label={texts.redirects}
        note={texts.redirectsNote}
        defaultValue={app?.redirect_uris.join('\n') ?? ''}
        rows={2}
        isRequired
      />
      <TextField
        name="post_logout_redirect_uris"
        label={texts.logoutRedirects}
        note={texts.logoutRedirectsNote}
        defaultValue={app?.post_logout_redirect_uris.join('\n') ?? ''}
        rows={2}
      />
      <TextField
        name="backchannel_logout_uri"
        label={texts.backchannel}
        note={texts.backchannelNote}
        defaultValue={app?.backchannel_logout_uri ?? ''}
      />
      <fieldset className="stack-small app-scopes">
        <legend className="label">{texts.scopes}</legend>
        {APP_SCOPES.map((scope) => (
          <Checkbox
            key={scope}
            isSelected={scopes.includes(scope)}
            isDisabled={scope === 'openid'}
            onChange={(isOn) =>
              setScopes(isOn ? [...scopes, scope] : scopes.filter((each) => each !== scope))
            }
          >
            {texts.scopeNames[scope]}
          </Checkbox>
        ))}
      </fieldset>
      {!app && (
        <Checkbox isSelected={isConfidential} onChange={setConfidential}>
          {texts.confidential}
        </Checkbox>
      )}
      <Checkbox isSelected={skips} onChange={setSkips}>
        {texts.skipsConsent}
      </Checkbox>
      <DialogActions
        action={app ? common.save : texts.create}
        isPending={change.isPending}
        onCancel={onCancel}
      />
    </Form>
  )
}
