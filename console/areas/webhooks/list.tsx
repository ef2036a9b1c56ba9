import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { EventWebhook } from '../../../shared/contract/event-webhooks.ts'
import { useApi } from '../../session/query.ts'
import { webhooks as texts } from '../../texts/webhooks.ts'
import { ListPage, useCreateDialog } from '../../ui/list-page.tsx'
import { Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { CreateWebhookDialog } from './form.tsx'
import type { WebhookPlace } from './place.ts'

/** The server turns a webhook off by itself, and other admins change the list. */
const REFRESH_MS = 10_000

/** The webhooks of a place. @param intro says whose events they get. */
export const WebhookList = ({ place, intro }: { place: WebhookPlace; intro: string }) => {
  const query = useApi(place.rows.list, { params: place.params }, { pollMs: REFRESH_MS })
  const { button, isOpen, onClose } = useCreateDialog(texts.create)
  return (
    <ListPage
      texts={{ ...texts, intro }}
      icon="share"
      create={button}
      query={query}
      list={(list) => <WebhookTable place={place} webhooks={list} />}
    >
      {isOpen && <CreateWebhookDialog place={place} onClose={onClose} />}
    </ListPage>
  )
}

interface WebhookTableProps {
  place: WebhookPlace
  webhooks: readonly EventWebhook[]
}

const WebhookTable = ({ place, webhooks }: WebhookTableProps) => (
  <Table label={texts.list} columns={[texts.url, texts.events, texts.state, texts.created]}>
    {webhooks.map((webhook) => (
      <tr key={webhook.webhook_id}>
        <td className="webhook-url">
          <Link to={`${place.path}/${webhook.webhook_id}`}>
            <bdi>{webhook.url}</bdi>
          </Link>
          {webhook.description && (
            <p className="quiet small">
              <bdi>{webhook.description}</bdi>
            </p>
          )}
        </td>
        <td>{texts.typesOf(webhook.types?.length ?? null)}</td>
        <td>
          <WebhookState webhook={webhook} />
        </td>
        <td>
          <Time iso={webhook.created_at} />
        </td>
      </tr>
    ))}
  </Table>
)

export const WebhookState = ({ webhook }: { webhook: EventWebhook }): ReactNode => {
  const { enabled, disabled_reason } = webhook
  if (enabled) return <span className="badge good">{texts.on}</span>
  return disabled_reason === null ? (
    <span className="badge">{texts.paused}</span>
  ) : (
    <span className="badge bad">{texts.turnedOff}</span>
  )
}
