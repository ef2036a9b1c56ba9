import { lazy } from 'react'
import type { ConsoleFeature } from '../../feature.ts'

export const webhooks: ConsoleFeature = {
  name: 'webhooks',
  adminScreens: ['webhooks'],
  OrganizationSection: lazy(async () => ({
    default: (await import('./organization-webhooks.tsx')).OrganizationWebhooks,
  })),
}
