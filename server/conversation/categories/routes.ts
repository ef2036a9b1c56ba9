import {
  createSessionCategory,
  deleteSessionCategory,
  listSessionCategories,
  updateSessionCategory,
} from '../../../shared/contract/index.ts'
import type { Mount } from '../../platform/http/route.ts'
import type { CategoryService } from './service.ts'

export const categoryRoutes = (mount: Mount, categories: CategoryService): void => {
  mount(listSessionCategories, ({ caller }) => categories.list(caller))
  mount(createSessionCategory, ({ caller, body }) => categories.create(caller, body))
  mount(updateSessionCategory, ({ caller, params, body }) =>
    categories.update(caller, params.category_id, body),
  )
  mount(deleteSessionCategory, async ({ caller, params }) => {
    await categories.delete(caller, params.category_id)
    return undefined
  })
}
