import { expect } from 'bun:test'
import { checkDatabase } from '../../server/operations.ts'
import type { TestServer } from '../harness/server.ts'

/** Expects that the index, the statistics and the dependent rows follow from the memories, as `svc admin check` does. */
export const expectConsistent = async ({
  database,
}: Pick<TestServer, 'database'>): Promise<void> => {
  const { memories } = await checkDatabase(
    { ...database.env },
    { repairs: false, report: () => {} },
  )
  expect(memories).toEqual([])
}
