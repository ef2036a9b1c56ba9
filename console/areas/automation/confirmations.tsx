import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import {
  type Confirmation,
  type ConfirmationDecision,
  listConfirmations,
} from '../../../shared/contract/confirmations.ts'
import { useApiPages } from '../../session/pages.ts'
import { confirmations as texts } from '../../texts/automation.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { EmptyState } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Time } from '../../ui/time.tsx'
import { useDecision } from './decisions.ts'
import { EventDetails } from './event-details.tsx'

const PAGE = 50
/** How soon a new confirmation appears. */
const REFRESH_MS = 5000

export const ConfirmationsPage = () => {
  const [skipping, setSkipping] = useState<Confirmation>()
  const query = useApiPages(
    listConfirmations,
    {},
    (before) => ({ query: { limit: PAGE, ...(before && { before }) } }),
    (page) => (page.length === PAGE ? page.at(-1)?.intent_id : null),
    { pollMs: REFRESH_MS },
  )
  return (
    <Page title={texts.title} intro={texts.intro}>
      <Loaded query={{ ...query, data: query.data?.pages.flat() }}>
        {(list) =>
          list.length ? (
            <ul className="plain stack" aria-label={texts.title}>
              {list.map((each) => (
                <ConfirmationCard
                  key={each.intent_id}
                  confirmation={each}
                  onSkipAlways={() => setSkipping(each)}
                />
              ))}
            </ul>
          ) : (
            <EmptyState
              icon="check"
              title={texts.empty}
              actions={
                <Link to="/automation/reflexes" className="button">
                  {texts.toReflexes}
                </Link>
              }
            >
              {texts.emptyNote}
            </EmptyState>
          )
        }
      </Loaded>
      <LoadMore query={query} />
      <SkipAlwaysDialog confirmation={skipping} onClose={() => setSkipping(undefined)} />
    </Page>
  )
}

interface ConfirmationCardProps {
  confirmation: Confirmation
  onSkipAlways: () => void
}

const ConfirmationCard = ({ confirmation, onSkipAlways }: ConfirmationCardProps) => {
  const { intent_id, reflex_id, reflex_name, text, event, created_at, expires_at } = confirmation
  const action = useDecision(reflex_name)
  const decide = (decision: ConfirmationDecision) =>
    action.mutate({ params: { intent_id }, body: { decision } })
  const chosen = action.isPending ? action.variables.body.decision : undefined
  return (
    <li className="card stack-small">
      <div className="row spread">
        <h2>
          <Link to="/automation/reflexes/$reflexId" params={{ reflexId: reflex_id }}>
            <bdi>{reflex_name}</bdi>
          </Link>
        </h2>
        <span className="quiet small">
          <Time iso={created_at} /> · {texts.expires} <Time iso={expires_at} />
        </span>
      </div>
      <p className="user-text" dir="auto">
        {text}
      </p>
      <EventDetails event={event} />
      <div className="row">
        <Button
          look="primary"
          icon="check"
          aria-label={texts.approveNamed(reflex_name)}
          isPending={chosen === 'fire'}
          onPress={() => decide('fire')}
        >
          {texts.approve}
        </Button>
        <Button
          aria-label={texts.skipNamed(reflex_name)}
          isPending={chosen === 'skip_once'}
          onPress={() => decide('skip_once')}
        >
          {texts.skip}
        </Button>
        <Button look="quiet" aria-label={texts.neverNamed(reflex_name)} onPress={onSkipAlways}>
          {texts.never}
        </Button>
      </div>
    </li>
  )
}

interface SkipAlwaysDialogProps {
  confirmation: Confirmation | undefined
  onClose: () => void
}

const SkipAlwaysDialog = ({ confirmation, onClose }: SkipAlwaysDialogProps) => {
  const name = confirmation?.reflex_name ?? ''
  const close = () => {
    action.reset()
    onClose()
  }
  const action = useDecision(name, close)
  const skip = () =>
    confirmation &&
    action.mutate({
      params: { intent_id: confirmation.intent_id },
      body: { decision: 'skip_always' },
    })
  return (
    <ConfirmDialog
      title={texts.neverTitle(name)}
      action={texts.never}
      isOpen={confirmation !== undefined}
      isPending={action.isPending}
      onConfirm={skip}
      onClose={close}
    >
      {texts.neverNote}
    </ConfirmDialog>
  )
}
