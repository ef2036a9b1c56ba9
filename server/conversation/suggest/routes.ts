import { suggest } from '../../../shared/contract/index.ts'
import type { Mount } from '../../platform/http/route.ts'
import type { SuggestService } from './service.ts'

export const suggestRoutes = (mount: Mount, suggestions: SuggestService): void => {
  mount(suggest, ({ caller, signal }) => suggestions.suggest(caller, signal))
}
