import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { EventWebhook } from '../../../shared/contract/event-webhooks.ts'
import { useAction, useApi } from '../../session/query.ts'
import { common } from '../../texts/common.ts'
import { webhooks as texts } from '../../texts/webhooks.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Menu } from '../../ui/menu.tsx'
import { EmptyState, Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { notify, notifyError } from '../../ui/toast.tsx'
import { Deliveries } from './deliveries.tsx'
import { EditWebhookDialog, SecretDialog } from './form.tsx'
import { WebhookState } from './list.tsx'
import type { WebhookPlace } from './place.ts'

/** A webhook with its deliveries. */
export const WebhookScreen = ({ place, id }: { place: WebhookPlace; id: string }) => {
  const query = useApi(place.rows.list, { params: place.params })
  const webhook = query.data?.find(({ webhook_id }) => webhook_id === id)
  return (
    <Page
      title={webhook ? new URL(webhook.url).host : texts.one}
      intro={
        <Link to={place.path} className="back-link">
          <Icon name="back" />
          {texts.title}
        </Link>
      }
      actions={webhook && <Actions place={place} webhook={webhook} />}
    >
      <Loaded query={query}>
        {() =>
          webhook ? (
            <>
              <Summary place={place} webhook={webhook} />
              <Deliveries place={place} webhookId={id} />
            </>
          ) : (
            <EmptyState
              icon="share"
              title={texts.missing}
              actions={
                <Link className="button" to={place.path}>
                  {texts.title}
                </Link>
              }
            >
              {texts.missingNote}
            </EmptyState>
          )
        }
      </Loaded>
    </Page>
  )
}

interface WebhookProps {
  place: WebhookPlace
  webhook: EventWebhook
}

const Summary = ({ place, webhook }: WebhookProps) => {
  const { enabled, disabled_reason } = webhook
  const turn = useTurn(place, webhook)
  return (
    <div className="stack-small">
      <div className="row">
        <WebhookState webhook={webhook} />
        <span>{texts.typesOf(webhook.types)}</span>
        {webhook.description && (
          <span className="quiet">
            <bdi>{webhook.description}</bdi>
          </span>
        )}
      </div>
      <p className="mono small setting-value">{webhook.url}</p>
      {webhook.types && <p className="mono small quiet">{webhook.types.join(', ')}</p>}
      {!enabled && (
        <Notice
          look={disabled_reason === null ? 'warn' : 'bad'}
          action={
            <Button isSmall isPending={turn.isPending} onPress={() => turn.to(true)}>
              {texts.turnOn}
            </Button>
          }
        >
          {disabled_reason === null ? texts.pausedNote : texts.turnedOffBecause(disabled_reason)}
        </Notice>
      )}
    </div>
  )
}

const useTurn = (place: WebhookPlace, { webhook_id }: EventWebhook) => {
  const { mutate, isPending } = useAction(place.rows.update, {
    onSuccess: ({ enabled }) => notify(enabled ? texts.turnedOn : texts.nowPaused),
    onError: notifyError,
  })
  return {
    isPending,
    to: (enabled: boolean) =>
      mutate({ params: { ...place.params, webhook_id }, body: { enabled } }),
  }
}

type OpenDialog = 'edit' | 'renew' | 'delete'

const Actions = ({ place, webhook }: WebhookProps) => {
  const [dialog, setDialog] = useState<OpenDialog>()
  const close = () => setDialog(undefined)
  const navigate = useNavigate()
  const params = { ...place.params, webhook_id: webhook.webhook_id }
  const turn = useTurn(place, webhook)
  const test = useAction(place.rows.test, {
    onSuccess: () => notify(texts.testSent),
    onError: notifyError,
  })
  const renew = useAction(place.rows.renew, { onSuccess: close })
  const remove = useAction(place.rows.remove, {
    onSuccess: () => {
      notify(texts.deleted)
      void navigate({ to: place.path, replace: true })
    },
  })
  return (
    <>
      <Button isPending={test.isPending} onPress={() => test.mutate({ params })}>
        {texts.test}
      </Button>
      <Menu
        label={texts.more}
        trigger={<IconButton icon="more" label={texts.more} look="quiet" />}
        actions={[
          { label: common.edit, icon: 'edit', onAction: () => setDialog('edit') },
          webhook.enabled
            ? { label: texts.pause, icon: 'stop', onAction: () => turn.to(false) }
            : { label: texts.turnOn, icon: 'play', onAction: () => turn.to(true) },
          { label: texts.renew, icon: 'key', onAction: () => setDialog('renew') },
          {
            label: common.delete,
            icon: 'trash',
            isDanger: true,
            onAction: () => setDialog('delete'),
          },
        ]}
      />
      <EditWebhookDialog
        place={place}
        webhook={webhook}
        isOpen={dialog === 'edit'}
        onClose={close}
      />
      <ConfirmDialog
        title={texts.renew}
        action={texts.renew}
        isOpen={dialog === 'renew'}
        isPending={renew.isPending}
        error={renew.error}
        onConfirm={() => renew.mutate({ params })}
        onClose={close}
      >
        {texts.renewNote}
      </ConfirmDialog>
      {renew.data && (
        <SecretDialog title={texts.renewed} secret={renew.data.secret} onClose={renew.reset} />
      )}
      <ConfirmDialog
        title={texts.deleteTitle}
        action={common.delete}
        isOpen={dialog === 'delete'}
        isPending={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate({ params })}
        onClose={close}
      >
        {texts.deleteNote}
      </ConfirmDialog>
    </>
  )
}
