import { describe, expect, test } from 'bun:test'
import { createSteps, mapYielding, runStepsYielding } from '../../server/platform/event-loop.ts'
import { readRecords } from '../../server/platform/records/records.ts'

/** Whether the event loop ran other work before this work, which waits for nothing, was done. */
const letsOthersRun = async (work: () => Promise<unknown>): Promise<boolean> => {
  let hasRun = false
  const other = setImmediate(() => {
    hasRun = true
  })
  await work()
  clearImmediate(other)
  return hasRun
}

/** Longer than a request may block the event loop. */
const block = <T>(result: T): T => {
  const end = performance.now() + 11
  while (performance.now() < end);
  return result
}

describe('long work yields to the event loop', () => {
  test('steps yield, and the result is returned', async () => {
    function* steps() {
      yield block(undefined)
      return 'done'
    }
    let result = ''
    expect(
      await letsOthersRun(async () => {
        result = await runStepsYielding(steps())
      }),
    ).toBe(true)
    expect(result).toBe('done')
  })

  test('mapping yields between the items, and keeps their order', async () => {
    let results: string[] = []
    expect(
      await letsOthersRun(async () => {
        results = await mapYielding(['a', 'b', 'c'], (item, i) => block(`${item}${i}`))
      }),
    ).toBe(true)
    expect(results).toEqual(['a0', 'b1', 'c2'])
  })

  test('awaited results yield', async () => {
    const step = createSteps()
    expect(await letsOthersRun(() => step(block('result')))).toBe(true)
  })
})

const RECORDS = { listKeys: new Set<string>(), maxBytes: 2 ** 25 }

describe('a file that is already received yields to the event loop', () => {
  const bytes = (text: string) => new TextEncoder().encode(text)

  test('a file that is already received yields to the event loop between many records of one chunk', async () => {
    async function* file() {
      yield bytes(`[${'1,'.repeat(200_000)}1]`)
    }
    let count = 0
    expect(
      await letsOthersRun(async () => {
        for await (const _ of readRecords(file(), RECORDS)) count++
      }),
    ).toBe(true)
    expect(count).toBe(200_001)
  })

  test('a file that is already received yields to the event loop between many chunks of one record', async () => {
    let hasRun = false
    const other = setImmediate(() => {
      hasRun = true
    })
    let hadRunBeforeEnd = false
    async function* file() {
      yield bytes('["')
      yield* Array<Uint8Array>(200_000).fill(bytes('x'))
      hadRunBeforeEnd = hasRun
      yield bytes('"]')
    }
    const records = await Array.fromAsync(readRecords(file(), RECORDS))
    clearImmediate(other)
    expect(records).toHaveLength(1)
    expect(hadRunBeforeEnd).toBe(true)
  })
})
