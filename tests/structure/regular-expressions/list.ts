/**
 * Writes the list of regular expressions: `bun tests/structure/regular-expressions/list.ts`. With
 * `--all` every expression is checked again, which takes some minutes.
 */
import { checkAll, collect, isQuick, readList, writeList } from './check.ts'

const { expressions, unseen } = await collect()
const entries = await checkAll(expressions, process.argv.includes('--all') ? [] : await readList())
await writeList(entries)
for (const { file, source, flags, verdict } of entries.filter((entry) => !isQuick(entry)))
  console.log(`${file}: /${source}/${flags} is ${verdict}, and no bound is stated`)
for (const place of unseen) console.log(`${place}: constructed at run time, and no bound is stated`)
console.log(`${entries.length} regular expressions`)
process.exit(0)
