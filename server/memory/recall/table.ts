import { pgTable, primaryKey, text } from 'drizzle-orm/pg-core'

/**
 * Forms of the same word that stemming does not bring together (go, went, gone), each as the stem
 * that PostgreSQL makes of it. Filled by a migration, so that the stems are this database's own.
 */
export const wordForms = pgTable(
  'word_forms',
  {
    language: text().notNull(),
    term: text().notNull(),
    form: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.language, table.term, table.form] })],
)
