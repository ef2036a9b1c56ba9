import { getRouteApi, Link } from '@tanstack/react-router'
import { getOrg, type Organization } from '../../../shared/contract/organizations.ts'
import { useApi } from '../../session/query.ts'
import { webhooks as texts } from '../../texts/webhooks.ts'
import { WebhookList } from './list.tsx'
import { webhooksOf } from './place.ts'
import { WebhookScreen } from './webhook.tsx'

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

export const OrganizationWebhooks = ({ org }: { org: Organization }) => (
  <section className="card row spread">
    <div>
      <h2>{texts.title}</h2>
      <p className="quiet">{texts.orgNote}</p>
    </div>
    <Link className="button" to="/people/organizations/$orgId/webhooks" params={{ orgId: org.id }}>
      {texts.manage}
    </Link>
  </section>
)
