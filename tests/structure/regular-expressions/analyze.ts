/**
 * Analyzes the regular expressions whose analysis is not recorded, with `--all` every one of them, and
 * records it: `bun tests/structure/regular-expressions/analyze.ts`.
 */
import { collect, findMissing, newOf, recordAnalysis } from './check.ts'

const { expressions } = await collect()
const isAll = process.argv.includes('--all')
const missing = await findMissing(isAll ? expressions : await newOf(expressions))
for (const { file, verdict, source, flags } of missing)
  console.log(`${file}: /${source}/${flags} is ${verdict}, and not in exceptions.json`)
if (missing.length === 0) await recordAnalysis(expressions)
process.exit(missing.length === 0 ? 0 : 1)
