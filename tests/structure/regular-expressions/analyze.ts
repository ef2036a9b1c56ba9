/**
 * Analyzes the regular expressions that the base commit does not have, with `--all` every one of them,
 * and records the analysis: `bun tests/structure/regular-expressions/analyze.ts`.
 */
import { baseCommit } from '../../harness/base.ts'
import { collect, findMissing, patternOf, patternsOf, recordAnalysis } from './check.ts'

const { expressions } = await collect()
const base = process.argv.includes('--all') ? undefined : baseCommit()
const known = base ? await patternsOf(base) : new Set<string>()
const missing = await findMissing(expressions.filter((each) => !known.has(patternOf(each))))
for (const { file, verdict, source, flags } of missing)
  console.log(`${file}: /${source}/${flags} is ${verdict}, and not in exceptions.json`)
if (missing.length === 0) await recordAnalysis(expressions)
process.exit(missing.length === 0 ? 0 : 1)
