import type { CliFeature } from '../../feature.ts'

export const billing: CliFeature = {
  name: 'billing',
  usage: async (client) => (await import('./usage.ts')).readUsage(client),
}
