/**
 * Preloaded into the measured server: counts the statements of each text that its driver sends. The parent process
 * reads the counts over IPC.
 */
import { dirname } from 'node:path'
import { plugin } from 'bun'
import type postgres from 'postgres'

const counts: Record<string, number> = {}

const debug: postgres.Options<Record<string, never>>['debug'] = (_connection, text) => {
  const [first = ''] = text.trim().split('\n')
  // The parts of a long statement tell it from others that begin with the same line.
  const table = /(?:insert into|update|delete from|from) ([a-z_]+)/i.exec(text)?.[1] ?? ''
  const key = `${first.slice(0, 60)} … ${table} (${text.length})`
  counts[key] = (counts[key] ?? 0) + 1
}

plugin({
  name: 'statement-probe',
  async setup(build) {
    const driver = Bun.resolveSync('postgres', dirname(process.argv[1] ?? ''))
    const { default: open } = await import(driver)
    const counting = (first: unknown, options?: object) =>
      options === undefined
        ? open({ ...(first as object), debug })
        : open(first, { ...options, debug })
    build.module('postgres', () => ({
      exports: { default: Object.assign(counting, open) },
      loader: 'object',
    }))
  },
})

process.on('message', () => {
  process.send?.(counts)
  for (const key of Object.keys(counts)) delete counts[key]
})
