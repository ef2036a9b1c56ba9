import { getRouteApi } from '@tanstack/react-router'
import { getOrg } from '../../../shared/contract/organizations.ts'
import { useApi } from '../../session/query.ts'
import { webhooks as texts } from '../../texts/webhooks.ts'
import { WebhookList } from '../webhooks/list.tsx'
import { webhooksOf } from '../webhooks/place.ts'
import { WebhookScreen } from '../webhooks/webhook.tsx'

const list = getRouteApi('/people/organizations/$orgId/webhooks')
const one = getRouteApi('/people/organizations/$orgId/webhooks/$webhookId')

export const OrganizationWebhooksPage = () => {
  const { orgId } = list.useParams()
  const org = useApi(getOrg, { params: { org_id: orgId } }).data
  return <WebhookList place={webhooksOf(orgId)} intro={org ? texts.ofOrg(org.name) : ''} />
}

export const OrganizationWebhookPage = () => {
  const { orgId, webhookId } = one.useParams()
  return <WebhookScreen place={webhooksOf(orgId)} id={webhookId} />
}
