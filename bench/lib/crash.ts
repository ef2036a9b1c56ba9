import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { remember } from '../../shared/contract/index.ts'
import type { Account, BenchServer } from './server.ts'

/** Writes memories in sequence until stopped, and records the acknowledged ones. */
export const startWriters = (accounts: Account[], prefix: string) => {
  const acknowledged: { account: Account; content: string }[] = []
  let isWriting = true
  const write = async (account: Account, writer: number) => {
    for (let n = 0; isWriting; n++) {
      const content = `${prefix} of writer ${writer}, number ${n}`
      const stored = await account.client
        .call(remember, { body: { content } })
        .catch(() => undefined)
      if (stored) acknowledged.push({ account, content })
      else await Bun.sleep(5)
    }
  }
  const writers = accounts.map(write)
  return {
    acknowledged,
    async stop() {
      isWriting = false
      await Promise.all(writers)
    },
  }
}

/** The acknowledged memories that a server does not have. */
export const missingOn = async (
  { url }: BenchServer,
  acknowledged: { account: Account; content: string }[],
): Promise<string[]> => {
  const missing: string[] = []
  for (const [key, written] of Map.groupBy(acknowledged, ({ account }) => account.key)) {
    const exported = await fetch(`${url}/api/memories/export`, {
      headers: { authorization: `Bearer ${key}` },
    })
    if (!exported.ok) throw new Error(`The export returned status ${exported.status}`)
    const lines = (await exported.text()).trimEnd().split('\n')
    const stored = new Set(lines.map((line) => line && JSON.parse(line).content_text))
    missing.push(...written.map(({ content }) => content).filter((content) => !stored.has(content)))
  }
  return missing
}

export const postgresPid = (dataDir: string): number =>
  Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])

export const kill = (...pids: number[]) => {
  for (const pid of pids) process.kill(pid, 'SIGKILL')
}

/** Copies a data directory atomically, by pausing every process that writes to it. */
export const snapshot = (serverPid: number, from: string, to: string): void => {
  const postmaster = postgresPid(from)
  const pause = (pids: number[]) => {
    for (const pid of pids) spawnSync('kill', ['-STOP', String(pid)])
    while (!pids.every(isPaused)) Bun.sleepSync(1)
  }
  pause([serverPid, postmaster])
  const backends = childrenOf(postmaster)
  pause(backends)
  spawnSync('cp', ['-a', `${from}/.`, to])
  for (const pid of [...backends, postmaster, serverPid]) spawnSync('kill', ['-CONT', String(pid)])
}

/** An ended process counts as paused. */
const isPaused = (pid: number): boolean => {
  try {
    return /^State:\s+[TZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return true
  }
}

const childrenOf = (parent: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return new RegExp(`^PPid:\\s+${parent}$`, 'm').test(
          readFileSync(`/proc/${name}/status`, 'utf8'),
        )
      } catch {
        return false
      }
    })
    .map(Number)
