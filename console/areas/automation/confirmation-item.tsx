import { Link } from '@tanstack/react-router'
import type { Confirmation } from '../../../shared/contract/confirmations.ts'
import { home } from '../../texts/home.ts'
import { Button } from '../../ui/button.tsx'
import { AttentionItem } from '../home/attention-item.tsx'
import { useDecision } from './decisions.ts'

const texts = home.attention

/** A firing of a reflex that runs only if the user confirms it. */
export const ConfirmationItem = ({ confirmation }: { confirmation: Confirmation }) => {
  const { intent_id, reflex_name, text } = confirmation
  const decide = useDecision(reflex_name)
  const send = (decision: 'fire' | 'skip_once') =>
    decide.mutate({ params: { intent_id }, body: { decision } })
  return (
    <AttentionItem
      icon="automation"
      title={<Link to="/automation">{texts.confirmation(reflex_name)}</Link>}
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
