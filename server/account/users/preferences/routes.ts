import { getPreferences, setPreference } from '../../../../shared/contract/index.ts'
import type { Mount } from '../../../platform/http/route.ts'
import type { PreferenceService } from './service.ts'

export const preferenceRoutes = (mount: Mount, preferences: PreferenceService): void => {
  mount(getPreferences, ({ caller }) => preferences.get(caller))
  mount(setPreference, ({ caller, params, body }) =>
    preferences.set(caller, params.key, body.value),
  )
}
