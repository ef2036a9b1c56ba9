import { changeEmail } from '../../../shared/contract/email-change.ts'
import {
  changeVerificationEmail,
  emailVerification,
} from '../../../shared/contract/email-verification.ts'
import { type Me, me } from '../../../shared/contract/sessions.ts'
import { useAction, useApi } from '../../session/query.ts'
import { settings } from '../../texts/settings.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { ResendVerification } from '../../ui/resend-verification.tsx'

const texts = settings.email
const { minLength, maxLength } = changeVerificationEmail.body.properties.email

export const EmailPage = () => {
  const user = useApi(me, {})
  return (
    <Page title={texts.title} intro={texts.intro}>
      <Loaded query={user}>
        {(data) => (
          <>
            <Address user={data} />
            <ChangeForm isVerified={data.email_verified} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

const Address = ({ user: { email, email_verified } }: { user: Me }) => {
  const isInOutbox = useApi(emailVerification, {}).data?.delivery === 'outbox'
  const pending = isInOutbox ? texts.pendingInOutbox : texts.pending
  return (
    <section className="card stack">
      <dl className="details">
        <dt>{texts.address}</dt>
        <dd>
          <bdi>{email}</bdi>
        </dd>
        <dt>{texts.state}</dt>
        <dd>
          <span className={email_verified ? 'badge good' : 'badge warn'}>
            {email_verified ? texts.verified : texts.notVerified}
          </span>
        </dd>
      </dl>
      <p className="quiet">{email_verified ? texts.verifiedNote : pending}</p>
      {!email_verified && (
        <div className="row">
          <ResendVerification />
        </div>
      )}
    </section>
  )
}

const ChangeForm = ({ isVerified }: { isVerified: boolean }) => {
  const isInOutbox = useApi(emailVerification, {}).data?.delivery === 'outbox'
  const sent = isInOutbox ? texts.sentToOutbox : texts.sent
  const changeFirst = useAction(changeVerificationEmail)
  const changeVerified = useAction(changeEmail)
  const change = isVerified ? changeVerified : changeFirst
  const submit = (data: FormData) => {
    const email = String(data.get('email'))
    const password = String(data.get('password') ?? '')
    if (isVerified) changeVerified.mutate({ body: { email, ...(password && { password }) } })
    else changeFirst.mutate({ body: { email } })
  }
  return (
    <section className="card">
      <h2>{texts.change}</h2>
      <Form onSubmit={submit} error={change.error} fields={['email', 'password']}>
        <TextField
          name="email"
          type="email"
          label={texts.newAddress}
          note={texts.changeNote}
          isRequired
          minLength={Number(minLength)}
          maxLength={Number(maxLength)}
          autoComplete="email"
        />
        {isVerified && (
          <PasswordField
            name="password"
            label={texts.password}
            note={texts.passwordNote}
            autoComplete="current-password"
          />
        )}
        {change.isSuccess && (
          <div role="status">
            <Notice look="good">{sent(change.variables.body.email)}</Notice>
          </div>
        )}
        <div className="form-actions">
          <Button type="submit" isPending={change.isPending}>
            {texts.send}
          </Button>
        </div>
      </Form>
    </section>
  )
}
