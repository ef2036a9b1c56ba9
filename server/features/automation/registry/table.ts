import { pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import type { RegistryType } from '../../../../shared/contract/registry.ts'
import { switchColumns } from '../../../platform/switches.ts'

export const handlerStates = pgTable(
  'handler_states',
  {
    registryType: text('registry_type').$type<RegistryType>().notNull(),
    name: text().notNull(),
    ...switchColumns(),
  },
  (table) => [primaryKey({ columns: [table.registryType, table.name] })],
)

export type HandlerStateRow = typeof handlerStates.$inferSelect
