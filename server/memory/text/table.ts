import { pgTable, primaryKey, text } from 'drizzle-orm/pg-core'

/**
 * Irregular forms of a word, which have different stems (go, went, gone), each as PostgreSQL stems it. A
 * migration fills the table, so that the stems are those of this database.
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
