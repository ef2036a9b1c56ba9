import { activityRetention } from './account/activity/service.ts'
import { accountRetention } from './account/retention.ts'
import { automationRetention } from './automation/retention.ts'
import { billingRetention } from './billing/retention.ts'
import { proxyRetention } from './conversation/proxy/turns.ts'
import type { AppDeps } from './deps.ts'
import { deletedMemoryRetention } from './memory/memories/retention.ts'
import { rateLimitRetention } from './platform/http/limits.ts'
import { submissionRetention } from './platform/http/submissions.ts'
import type { AuthSecrets } from './platform/secrets/derived-keys.ts'
import { contextRetention } from './prompt/context/service.ts'
import { resealing } from './sealed-columns.ts'

/** Every retention rule. */
export const retentionRules = ({
  config,
  secrets,
}: {
  config: Pick<AppDeps['config'], 'activity'>
  secrets: AuthSecrets
}) => [
  resealing(secrets),
  activityRetention(() => config.activity),
  rateLimitRetention,
  submissionRetention,
  ...accountRetention,
  ...billingRetention,
  deletedMemoryRetention,
  contextRetention,
  proxyRetention,
  ...automationRetention,
]
