import { useState } from 'react'
import {
  changePassword,
  forgotPassword,
  removePassword,
} from '../../../shared/contract/password.ts'
import { useMe } from '../../session/me.ts'
import { useAction } from '../../session/query.ts'
import { settings } from '../../texts/settings.ts'
import { Button } from '../../ui/button.tsx'
import { Form } from '../../ui/form.tsx'
import { ErrorNotice, Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { notify } from '../../ui/toast.tsx'

const texts = settings.password
const { minLength } = changePassword.body.properties.new_password

export const PasswordPage = () => {
  /** A new key empties the form. */
  const [changes, setChanges] = useState(0)
  return (
    <Page title={texts.title} intro={texts.intro}>
      <ChangeForm
        key={changes}
        onChanged={() => {
          notify(texts.changed)
          setChanges(changes + 1)
        }}
      />
      <ResetLink />
      <RemovePassword />
    </Page>
  )
}

const ChangeForm = ({ onChanged }: { onChanged: () => void }) => {
  const change = useAction(changePassword, { onSuccess: onChanged })
  return (
    <Form
      onSubmit={(data) =>
        change.mutate({
          body: {
            current_password: String(data.get('current_password')),
            new_password: String(data.get('new_password')),
          },
        })
      }
      error={change.error}
      fields={['current_password', 'new_password']}
    >
      <PasswordField
        name="current_password"
        label={texts.current}
        isRequired
        autoComplete="current-password"
      />
      <PasswordField
        name="new_password"
        label={texts.new}
        note={texts.rules}
        isRequired
        minLength={Number(minLength)}
        autoComplete="new-password"
      />
      <div className="form-actions">
        <Button type="submit" look="primary" isPending={change.isPending}>
          {texts.change}
        </Button>
      </div>
    </Form>
  )
}

/** For an account that signs in through a provider only, or whose password is forgotten. */
const ResetLink = () => {
  const user = useMe()
  const forgot = useAction(forgotPassword)
  if (!user) return null
  return (
    <section className="card stack-small">
      <h2>{texts.forgotTitle}</h2>
      <p className="quiet">{texts.forgotNote(user.email)}</p>
      {forgot.error && <ErrorNotice error={forgot.error} />}
      {forgot.isSuccess && (
        <div role="status">
          <Notice look="good">{texts.forgotSent(user.email)}</Notice>
        </div>
      )}
      <div>
        <Button
          icon="mail"
          isPending={forgot.isPending}
          onPress={() => forgot.mutate({ body: { email: user.email } })}
        >
          {texts.forgot}
        </Button>
      </div>
    </section>
  )
}

/** The server refuses it without a passkey and recovery codes. */
const RemovePassword = () => {
  /** A new key empties the form. */
  const [removals, setRemovals] = useState(0)
  const remove = useAction(removePassword, {
    onSuccess: () => {
      notify(texts.removed)
      setRemovals(removals + 1)
    },
  })
  return (
    <section className="card stack-small">
      <h2>{texts.removeTitle}</h2>
      <p className="quiet">{texts.removeNote}</p>
      <Form
        key={removals}
        onSubmit={(data) =>
          remove.mutate({ body: { current_password: String(data.get('current_password')) } })
        }
        error={remove.error}
        fields={['current_password']}
      >
        <PasswordField
          name="current_password"
          label={texts.removeConfirm}
          isRequired
          autoComplete="current-password"
        />
        <div className="form-actions">
          <Button type="submit" look="danger" isPending={remove.isPending}>
            {texts.remove}
          </Button>
        </div>
      </Form>
    </section>
  )
}
