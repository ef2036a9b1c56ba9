import { lazy } from 'react'
import type { ConsoleFeature } from '../../feature.ts'

export const scim: ConsoleFeature = {
  name: 'scim',
  OrganizationSection: lazy(async () => ({
    default: (await import('./provisioning.tsx')).Provisioning,
  })),
}
