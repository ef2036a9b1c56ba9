import { readUrl } from '../../../shared/contract/index.ts'
import type { Mount } from '../../platform/http/route.ts'
import type { UrlService } from './service.ts'

export const urlRoutes = (mount: Mount, urls: UrlService): void => {
  mount(readUrl, ({ caller, body }) => urls.read(caller, body))
}
