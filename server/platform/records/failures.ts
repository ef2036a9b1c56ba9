import { budgets } from '../budgets.ts'

interface FailureReport<Failure> {
  failed_count: number
  failed: Failure[]
}

/** Counts a record that cannot be imported, and lists it in the report if it is one of the first. */
export const addFailure = <Failure>(report: FailureReport<Failure>, failure: Failure): void => {
  report.failed_count++
  if (report.failed.length < budgets.importFailures.count) report.failed.push(failure)
}
