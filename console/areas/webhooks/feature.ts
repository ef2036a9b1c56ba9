import { lazy } from 'react'
import type { ConsoleFeature } from '../../feature.ts'
import { admin } from '../../texts/admin.ts'

export const webhooks: ConsoleFeature = {
  name: 'webhooks',
  adminScreens: { webhooks: admin.areas.webhooks },
  OrganizationSection: lazy(async () => ({
    default: (await import('./organization-webhooks.tsx')).OrganizationWebhooks,
  })),
}
