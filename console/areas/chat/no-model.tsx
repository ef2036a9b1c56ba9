import { useState } from 'react'
import { healthDetail } from '../../../shared/contract/health.ts'
import { useMe } from '../../session/me.ts'
import { useApi } from '../../session/query.ts'
import { chat } from '../../texts/chat.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ResendVerification } from '../../ui/resend-verification.tsx'

const texts = chat.noModel

/** The health lists each configured provider as `models.<provider>`. */
const useHasModel = (): boolean => {
  const { data } = useApi(healthDetail, {})
  return !data || Object.keys(data.parts).some((part) => part.startsWith('models.'))
}

/** States that no model is configured, and how to connect one. */
export const NoModelNotice = () => {
  const [isOpen, setOpen] = useState(false)
  if (useHasModel()) return null
  return (
    <Notice
      action={
        <Button isSmall onPress={() => setOpen(true)}>
          {texts.show}
        </Button>
      }
    >
      {texts.title}
      <Dialog title={texts.show} isOpen={isOpen} onClose={() => setOpen(false)}>
        <p>{texts.note}</p>
        <dl className="details">
          {texts.variables.map(([name, use]) => (
            <div key={name} className="chat-variable">
              <dt className="mono">{name}</dt>
              <dd>{use}</dd>
            </div>
          ))}
        </dl>
        <p>{texts.more}</p>
      </Dialog>
    </Notice>
  )
}

/** Chats need a verified email address. */
export const UnverifiedNotice = () => {
  const user = useMe()
  if (!user || user.email_verified) return null
  return (
    <Notice look="warn" action={<ResendVerification />}>
      {chat.unverified}
    </Notice>
  )
}
