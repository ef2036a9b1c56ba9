import { useState } from 'react'
import {
  EVENT_DELIVERY_DAYS,
  type EventDelivery,
  type EventWebhook,
} from '../../../shared/contract/event-webhooks.ts'
import { DAY_MS } from '../../../shared/duration.ts'
import { serverNow } from '../../session/clock.ts'
import { useApiPages } from '../../session/pages.ts'
import { useAction } from '../../session/query.ts'
import { apiText } from '../../texts/api-texts.ts'
import { webhooks as texts } from '../../texts/webhooks.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/choice.tsx'
import { CopyBlock } from '../../ui/copy.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Time } from '../../ui/time.tsx'
import { notify, notifyError } from '../../ui/toast.tsx'
import type { WebhookPlace } from './place.ts'

const REFRESH_MS = 3_000
const ALL = 'all'
const STATES = [ALL, 'waiting', 'delivered', 'failed'] as const
const OPTIONS = STATES.map((id) => ({ id, label: texts.filters[id] }))

interface DeliveriesProps {
  place: WebhookPlace
  webhook: EventWebhook
}

export const Deliveries = ({ place, webhook }: DeliveriesProps) => {
  const [state, setState] = useState<(typeof STATES)[number]>(ALL)
  const params = { ...place.params, webhook_id: webhook.webhook_id }
  const query = useApiPages(
    place.rows.deliveries,
    { ...params, state },
    (cursor) => ({
      params,
      query: { ...(state !== ALL && { state }), ...(cursor && { cursor }) },
    }),
    ({ next_cursor }) => next_cursor,
    { pollMs: REFRESH_MS },
  )
  const replay = useAction(place.rows.replayFailed, {
    onSuccess: ({ count }) => notify(texts.replayed(count)),
    onError: notifyError,
  })
  const replayFailed = () =>
    replay.mutate({
      params,
      body: { since: new Date(serverNow() - EVENT_DELIVERY_DAYS * DAY_MS).toISOString() },
    })
  return (
    <section className="stack-small" aria-labelledby="deliveries">
      <div className="row spread">
        <h2 id="deliveries">{texts.deliveries}</h2>
        <div className="row">
          <Button isDisabled={!webhook.enabled} isPending={replay.isPending} onPress={replayFailed}>
            {texts.replayFailed}
          </Button>
          <Select
            label={texts.filter}
            isLabelHidden
            options={OPTIONS}
            value={state}
            onChange={setState}
          />
        </div>
      </div>
      <Loaded query={query}>
        {({ pages }) => {
          const all = pages.flatMap(({ deliveries }) => deliveries)
          return all.length === 0 ? (
            <p className="quiet">{texts.noDeliveries}</p>
          ) : (
            <ul className="list" aria-label={texts.deliveries}>
              {all.map((delivery) => (
                <DeliveryItem
                  key={delivery.event_id}
                  place={place}
                  webhook={webhook}
                  delivery={delivery}
                />
              ))}
            </ul>
          )
        }}
      </Loaded>
      <LoadMore query={query} />
    </section>
  )
}

const LOOKS = { waiting: 'badge accent', delivered: 'badge good', failed: 'badge bad' }

const DeliveryItem = ({
  place,
  webhook,
  delivery,
}: DeliveriesProps & { delivery: EventDelivery }) => {
  const { event_id, type, state, attempts, status, error, next_attempt_at } = delivery
  const replay = useAction(place.rows.replay, {
    onSuccess: () => notify(texts.replayed(1)),
    onError: notifyError,
  })
  return (
    <li className="stack-tight">
      <div className="row">
        <code>{type}</code>
        <span className={LOOKS[state]}>{texts.states[state]}</span>
        {status !== null && <span className="quiet small">{texts.status(status)}</span>}
        <span className="quiet small">
          <Time iso={delivery.created_at} />
        </span>
      </div>
      {error && <p className="small">{apiText(error)}</p>}
      {next_attempt_at && attempts > 0 && (
        <p className="quiet small">
          {texts.attempts(attempts)} · {texts.next} <Time iso={next_attempt_at} />
        </p>
      )}
      <details>
        <summary>{texts.details}</summary>
        <div className="stack-small">
          <p className="mono small setting-value">webhook-id: {event_id}</p>
          <CopyBlock
            text={JSON.stringify(delivery.payload, null, 2)}
            label={texts.copyBody(type)}
          />
          <div className="row">
            <Button
              isSmall
              aria-label={texts.replayNamed(type)}
              isDisabled={!webhook.enabled}
              isPending={replay.isPending}
              onPress={() =>
                replay.mutate({
                  params: { ...place.params, webhook_id: webhook.webhook_id, event_id },
                })
              }
            >
              {texts.replay}
            </Button>
          </div>
        </div>
      </details>
    </li>
  )
}
