import { Link } from '@tanstack/react-router'
import {
  type Confirmation,
  decideConfirmation,
  listConfirmations,
} from '../../../shared/contract/confirmations.ts'
import { useAction } from '../../session/query.ts'
import { home } from '../../texts/home.ts'
import { Button } from '../../ui/button.tsx'
import { notify } from '../../ui/toast.tsx'
import { AttentionItem } from './attention-item.tsx'

const texts = home.attention

/** A firing of a reflex that runs only if the user confirms it. */
export const ConfirmationItem = ({ confirmation }: { confirmation: Confirmation }) => {
  const { intent_id, reflex_name, text } = confirmation
  const decide = useAction(decideConfirmation, {
    invalidates: [listConfirmations],
    onSuccess: (_, { body }) =>
      notify(body.decision === 'fire' ? texts.ran(reflex_name) : texts.skipped(reflex_name)),
  })
  const send = (decision: 'fire' | 'skip_once') =>
    decide.mutate({ params: { intent_id }, body: { decision } })
  return (
    <AttentionItem
      icon="automation"
      title={<Link to="/automation">{texts.confirmation(reflex_name)}</Link>}
      error={decide.error}
      actions={
        <>
          <Button isSmall isDisabled={decide.isPending} onPress={() => send('skip_once')}>
            {texts.skip}
          </Button>
          <Button isSmall look="primary" isDisabled={decide.isPending} onPress={() => send('fire')}>
            {texts.run}
          </Button>
        </>
      }
    >
      <p className="user-text small" dir="auto">
        {text}
      </p>
    </AttentionItem>
  )
}
