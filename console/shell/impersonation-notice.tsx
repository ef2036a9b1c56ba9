import { useMutationOnce } from '../session/action.ts'
import { useMe } from '../session/me.ts'
import { endImpersonating } from '../session/token.ts'
import { shell } from '../texts/shell.ts'
import { Button } from '../ui/button.tsx'
import { formatDateTime } from '../ui/time.tsx'
import { notifyError } from '../ui/toast.tsx'

/** Above each screen while an admin uses the account of a user. */
export const ImpersonationNotice = () => {
  const me = useMe()
  const end = useMutationOnce({ mutationFn: endImpersonating, onError: notifyError })
  if (!me?.impersonation) return null
  const until = formatDateTime(me.impersonation.expires_at)
  return (
    <aside className="notice warn impersonation" aria-label={shell.impersonation}>
      <p>{shell.impersonating(me.display_name ?? me.email, until)}</p>
      <Button isSmall isPending={end.isPending} onPress={() => end.mutate()}>
        {shell.endImpersonation}
      </Button>
    </aside>
  )
}
