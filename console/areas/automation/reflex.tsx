import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import {
  deleteReflex,
  getReflex,
  type Reflex,
  renewWebhookSecret,
  updateReflex,
} from '../../../shared/contract/reflexes.ts'
import { useAction, useApi } from '../../session/query.ts'
import { common } from '../../texts/common.ts'
import { reflexes as texts } from '../../texts/reflexes.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { RemovalDialog } from '../../ui/removal-dialog.tsx'
import { Time } from '../../ui/time.tsx'
import { notify, notifyError } from '../../ui/toast.tsx'
import { describeAction, describeCondition, describeTrigger } from './describe.ts'
import { Firings } from './firings.tsx'
import { EnabledSwitch, ReflexBadges, useDeviceName } from './reflexes.tsx'
import { SecretDialog } from './secret.tsx'
import { TryReflex } from './try-reflex.tsx'

const route = getRouteApi('/automation/reflexes/$reflexId')

export const ReflexPage = () => {
  const { reflexId } = route.useParams()
  const query = useApi(getReflex, { params: { reflex_id: reflexId } })
  return (
    <Page
      title={query.data?.name ?? texts.title}
      intro={
        <Link to="/automation/reflexes" className="back-link">
          <Icon name="back" />
          {texts.back}
        </Link>
      }
      actions={query.data && <Actions reflex={query.data} />}
    >
      <Loaded query={query}>
        {(reflex) => (
          <>
            <State reflex={reflex} />
            <Rule reflex={reflex} />
            <TryReflex reflex={reflex} />
            <Firings reflexId={reflexId} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

const Actions = ({ reflex }: { reflex: Reflex }) => {
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<'delete' | 'renew'>()
  const [secret, setSecret] = useState<string>()
  const renew = useAction(renewWebhookSecret, {
    onSuccess: ({ webhook_secret }) => {
      setDialog(undefined)
      setSecret(webhook_secret)
    },
  })
  const close = () => setDialog(undefined)
  const params = { reflex_id: reflex.reflex_id }
  return (
    <>
      <EnabledSwitch reflex={reflex} />
      <Link
        to="/automation/reflexes/$reflexId/edit"
        params={{ reflexId: reflex.reflex_id }}
        className="button"
      >
        <Icon name="edit" />
        {texts.edit}
      </Link>
      <Menu
        label={texts.more(reflex.name)}
        trigger={<IconButton icon="more" label={texts.more(reflex.name)} />}
        actions={[
          ...(reflex.action.type === 'webhook'
            ? [
                {
                  label: texts.renewSecret,
                  icon: 'key' as const,
                  onAction: () => setDialog('renew'),
                },
              ]
            : []),
          {
            label: texts.delete,
            icon: 'trash',
            isDanger: true,
            onAction: () => setDialog('delete'),
          },
        ]}
      />
      <ConfirmDialog
        title={texts.renewTitle}
        action={texts.renew}
        isOpen={dialog === 'renew'}
        isPending={renew.isPending}
        error={renew.error}
        onConfirm={() => renew.mutate({ params })}
        onClose={close}
      >
        {texts.renewNote}
      </ConfirmDialog>
      <SecretDialog secret={secret} onClose={() => setSecret(undefined)} />
      <RemovalDialog
        row={deleteReflex}
        entry={dialog === 'delete' ? { name: reflex.name, args: { params } } : undefined}
        texts={{
          title: texts.deleteTitle,
          note: texts.deleteNote,
          action: texts.delete,
          done: texts.deleted,
        }}
        onClose={close}
        onDone={() => void navigate({ to: '/automation/reflexes', replace: true })}
      />
    </>
  )
}

const State = ({ reflex }: { reflex: Reflex }) => {
  const update = useAction(updateReflex, {
    onSuccess: () => notify(texts.runsAgain),
    onError: notifyError,
  })
  const runAgain = () =>
    update.mutate({ params: { reflex_id: reflex.reflex_id }, body: { skip_always: false } })
  return (
    <>
      {reflex.disabled_reason && <Notice look="bad">{reflex.disabled_reason}</Notice>}
      {reflex.skip_always && (
        <Notice
          look="warn"
          action={
            <Button isSmall isPending={update.isPending} onPress={runAgain}>
              {texts.runAgain}
            </Button>
          }
        >
          {texts.skippedNote}
        </Notice>
      )}
    </>
  )
}

const Rule = ({ reflex }: { reflex: Reflex }) => {
  const deviceName = useDeviceName()
  return (
    <section className="card stack-small" aria-label={texts.rule}>
      <dl className="details">
        <dt>{texts.when}</dt>
        <dd>{describeTrigger(reflex.trigger, deviceName)}</dd>
        {reflex.conditions.length > 0 && (
          <>
            <dt>{texts.conditions}</dt>
            <dd>
              <ul className="plain">
                {reflex.conditions.map(({ op, path, value }) => (
                  <li key={`${op} ${path} ${JSON.stringify(value)}`}>
                    {describeCondition(op, path, value)}
                  </li>
                ))}
              </ul>
            </dd>
          </>
        )}
        <dt>{texts.effect}</dt>
        <dd className="row">
          <span className="user-text">{describeAction(reflex.action)}</span>
          <ReflexBadges reflex={reflex} />
        </dd>
        <dt>{texts.lastFired}</dt>
        <dd>{reflex.last_fired_at ? <Time iso={reflex.last_fired_at} /> : common.never}</dd>
        {reflex.next_at && (
          <>
            <dt>{texts.nextAt}</dt>
            <dd>
              <Time iso={reflex.next_at} />
            </dd>
          </>
        )}
      </dl>
    </section>
  )
}
