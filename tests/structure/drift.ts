/**
 * Prints the migration that is missing between a numbered migration and the tables that the code
 * declares, and the statements that create these tables. Runs in its own process, because drizzle-kit
 * extends the prototype of arrays.
 */
import { join } from 'node:path'
import { Glob } from 'bun'
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api'

const root = process.cwd()
const tables: Record<string, unknown> = {}
for (const path of new Glob('server/*/**/table.ts').scanSync(root))
  Object.assign(tables, await import(join(root, path)))
const migrated = await Bun.file(
  join(root, `migrations/meta/${process.argv[2]}_snapshot.json`),
).json()
const declared = generateDrizzleJson(tables, migrated.id)
const drift = await generateMigration(migrated, declared)
const statements = await generateMigration(generateDrizzleJson({}), declared)
console.log(JSON.stringify({ tables: Object.keys(tables).length, drift, statements }))
process.exit(0)
