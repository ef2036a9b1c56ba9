import {
  changeServerSettings,
  listServerSettings,
  testServerSettings,
} from '../../../shared/contract/server-settings.ts'
import type { Mount } from '../../platform/http/route.ts'
import type { ServerSettingsService } from './service.ts'

export const serverSettingsRoutes = (mount: Mount, settings: ServerSettingsService): void => {
  mount(listServerSettings, () => settings.list())
  mount(changeServerSettings, ({ caller, client, body }) =>
    settings.change({ caller, client }, body),
  )
  mount(testServerSettings, ({ caller, body, disableIdleTimeout }) => {
    disableIdleTimeout()
    return settings.test(caller, body)
  })
}
