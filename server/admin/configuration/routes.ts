import { adminConfiguration } from '../../../shared/contract/index.ts'
import type { Mount } from '../../platform/http/route.ts'
import type { ConfigurationService } from './service.ts'

export const configurationRoutes = (mount: Mount, configuration: ConfigurationService): void => {
  mount(adminConfiguration, () => configuration.read())
}
