import { health, healthDetail, ready } from '../../../shared/contract/index.ts'
import type { Mount } from '../../platform/http/route.ts'
import type { HealthService } from './service.ts'

export const healthRoutes = (mount: Mount, healthService: HealthService): void => {
  mount(health, () => ({ status: 'ok' }) as const)
  mount(ready, () => healthService.ready())
  mount(healthDetail, () => healthService.detail())
}
