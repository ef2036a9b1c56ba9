import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { EventWebhook } from '../../../shared/contract/event-webhooks.ts'
import { useAction, useApi } from '../../session/query.ts'
import { apiText } from '../../texts/api-texts.ts'
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

/** The server turns a webhook off by itself. */
const REFRESH_MS = 3_000

/** A webhook with its deliveries. */
export const WebhookScreen = ({ place, id }: { place: WebhookPlace; id: string }) => {
  const query = useApi(place.rows.list, { params: place.params }, { pollMs: REFRESH_MS })
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
              <Deliveries place={place} webhook={webhook} />
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
  const enabling = useEnabling(place, webhook)
  return (
    <div className="stack-small">
      <div className="row">
        <WebhookState webhook={webhook} />
        <span>{texts.typesOf(webhook.types?.length ?? null)}</span>
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
            <Button
              isSmall
              isPending={enabling.isPending}
              onPress={() => enabling.setEnabled(true)}
            >
              {texts.turnOn}
            </Button>
          }
        >
          {disabled_reason === null
            ? texts.pausedNote
            : texts.turnedOffBecause(apiText(disabled_reason))}
        </Notice>
      )}
    </div>
  )
}

const useEnabling = (place: WebhookPlace, { webhook_id }: EventWebhook) => {
  const { mutate, isPending } = useAction(place.rows.update, {
    onSuccess: ({ enabled }) => notify(enabled ? texts.turnedOn : texts.nowPaused),
    onError: notifyError,
  })
  return {
    isPending,
    setEnabled: (enabled: boolean) =>
      mutate({ params: { ...place.params, webhook_id }, body: { enabled } }),
  }
}

type OpenDialog = 'edit' | 'renew' | 'delete'

const Actions = ({ place, webhook }: WebhookProps) => {
  const [dialog, setDialog] = useState<OpenDialog>()
  const close = () => setDialog(undefined)
  const navigate = useNavigate()
  const params = { ...place.params, webhook_id: webhook.webhook_id }
  const enabling = useEnabling(place, webhook)
  const test = useAction(place.rows.test, {
    onSuccess: () => notify(texts.testSent),
    onError: notifyError,
  })
  const [secret, setSecret] = useState<string>()
  const renew = useAction(place.rows.renew, {
    onSuccess: (renewed) => {
      setSecret(renewed.secret)
      close()
    },
  })
  const remove = useAction(place.rows.remove, {
    onSuccess: () => {
      notify(texts.deleted)
      void navigate({ to: place.path, replace: true })
    },
  })
  const closeReset = () => {
    renew.reset()
    remove.reset()
    close()
  }
  return (
    <>
      <Button
        isDisabled={!webhook.enabled}
        isPending={test.isPending}
        onPress={() => test.mutate({ params })}
      >
        {texts.test}
      </Button>
      <Menu
        label={texts.more}
        trigger={<IconButton icon="more" label={texts.more} look="quiet" />}
        actions={[
          { label: common.edit, icon: 'edit', onAction: () => setDialog('edit') },
          webhook.enabled
            ? { label: texts.pause, icon: 'stop', onAction: () => enabling.setEnabled(false) }
            : { label: texts.turnOn, icon: 'play', onAction: () => enabling.setEnabled(true) },
          { label: texts.renew, icon: 'key', onAction: () => setDialog('renew') },
          {
            label: common.delete,
            icon: 'trash',
            isDanger: true,
            onAction: () => setDialog('delete'),
          },
        ]}
      />
      {dialog === 'edit' && <EditWebhookDialog place={place} webhook={webhook} onClose={close} />}
      <ConfirmDialog
        title={texts.renew}
        action={texts.renew}
        isOpen={dialog === 'renew'}
        isPending={renew.isPending}
        error={renew.error}
        onConfirm={() => renew.mutate({ params })}
        onClose={closeReset}
      >
        {texts.renewNote}
      </ConfirmDialog>
      {secret && (
        <SecretDialog title={texts.renewed} secret={secret} onClose={() => setSecret(undefined)} />
      )}
      <ConfirmDialog
        title={texts.deleteTitle}
        action={common.delete}
        isOpen={dialog === 'delete'}
        isPending={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate({ params })}
        onClose={closeReset}
      >
        {texts.deleteNote}
      </ConfirmDialog>
    </>
  )
}
