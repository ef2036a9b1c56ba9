import type { UserImportReport } from '../../../shared/contract/user-import.ts'
import { budgets } from '../../platform/budgets.ts'
import type { Problem } from './line.ts'

export const createReport = (isDryRun: boolean): UserImportReport => ({
  dry_run: isDryRun,
  imported: 0,
  existing: 0,
  skipped_identities: 0,
  skipped_factors: 0,
  failed_count: 0,
  failed: [],
})

/** The report never has a value of the file: it may be a secret. */
export const addFailure = (
  report: UserImportReport,
  line: number,
  { field, detail }: Problem,
): void => {
  report.failed_count++
  if (report.failed.length < budgets.userImportFailures.count)
    report.failed.push({ line, ...(field !== undefined && { field }), detail })
}
