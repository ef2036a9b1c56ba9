import { resendVerification } from '../../shared/contract/email-verification.ts'
import { useAction } from '../session/query.ts'
import { common } from '../texts/common.ts'
import { Button } from './button.tsx'

/** Sends the verification link again; the next step of an error for an unverified address. */
export const ResendVerification = () => {
  const resend = useAction(resendVerification)
  return (
    <>
      <Button isSmall icon="mail" isPending={resend.isPending} onPress={() => resend.mutate({})}>
        {common.resendVerification}
      </Button>
      <span role="status">{resend.data?.message ?? resend.error?.message}</span>
    </>
  )
}
