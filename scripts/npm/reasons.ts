/**
 * Writes `clients/npm/reason-table.ts`, the names of the errors whose text is always the same: `bun scripts/npm/reasons.ts`.
 */
import { join } from 'node:path'
// Declares the errors of all domains, whose texts the client knows.
import '../../server/start.ts'
import { hashOf, missingOf } from '../../clients/npm/reasons.ts'
import { contract } from '../../shared/contract/index.ts'
import { fixedTexts } from '../python-client/reasons.ts'

export const REASONS_FILE = join(import.meta.dir, '../../clients/npm/reason-table.ts')

/** @throws Error if two texts have one hash. */
export const reasonTableSource = (): string => {
  const texts = fixedTexts(contract)
  const isDerived = ([reason, text]: (typeof texts)[number]) => reason === missingOf(text)
  const derived = texts.filter(isDerived).map(([reason]) => `  '${reason}',`)
  const entries = texts
    .filter((each) => !isDerived(each))
    .map(([reason, text]) => ({ hash: hashOf(text), reason }))
  if (new Set(entries.map(({ hash }) => hash)).size < entries.length)
    throw new Error('Two error texts have one hash')
  const lines = entries.map(({ hash, reason }) => `  '${hash}${reason}',`)
  return [
    '/** The hash of each error text that is always the same, and its reason. `bun scripts/npm/reasons.ts` writes it. */',
    'export const reasonTable: string = [',
    ...lines,
    "].join(' ')",
    '',
    '/** The reasons that their text names. */',
    'export const derivedReasons: readonly string[] = [',
    ...derived,
    ']',
    '',
  ].join('\n')
}

if (import.meta.main) {
  await Bun.write(REASONS_FILE, reasonTableSource())
  process.exit(0)
}
