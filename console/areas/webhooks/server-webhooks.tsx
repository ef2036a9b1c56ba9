import { getRouteApi } from '@tanstack/react-router'
import { webhooks as texts } from '../../texts/webhooks.ts'
import { WebhookList } from './list.tsx'
import { SERVER_WEBHOOKS } from './place.ts'
import { WebhookScreen } from './webhook.tsx'

const route = getRouteApi('/admin/webhooks/$webhookId')

export const WebhooksPage = () => <WebhookList place={SERVER_WEBHOOKS} intro={texts.ofServer} />

export const WebhookPage = () => (
  <WebhookScreen place={SERVER_WEBHOOKS} id={route.useParams().webhookId} />
)
