import {
  emailVerification,
  resendVerification,
  verifyHere,
} from '../../shared/contract/email-verification.ts'
import { useAction, useApi } from '../session/query.ts'
import { apiText } from '../texts/api-texts.ts'
import { common } from '../texts/common.ts'
import { Button } from './button.tsx'
import { describeError } from './describe-error.ts'

/** The way to a verified address: here on the own machine, and otherwise by a link. */
export const ResendVerification = () => {
  const status = useApi(emailVerification, {}).data
  const resend = useAction(resendVerification)
  const verify = useAction(verifyHere)
  const isInOutbox = status?.delivery === 'outbox'
  const outcome = resend.data && (isInOutbox ? common.linkInOutbox : apiText(resend.data.message))
  const error = verify.error ?? resend.error
  return (
    <>
      {status?.can_verify_here && (
        <Button
          isSmall
          icon="check"
          look="primary"
          isPending={verify.isPending}
          onPress={() => verify.mutate({})}
        >
          {common.verifyHere}
        </Button>
      )}
      <Button isSmall icon="mail" isPending={resend.isPending} onPress={() => resend.mutate({})}>
        {isInOutbox ? common.writeLink : common.resendVerification}
      </Button>
      <span role="status">{error ? describeError(error) : outcome}</span>
    </>
  )
}
