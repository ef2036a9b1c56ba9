import { useSyncExternalStore } from 'react'
import type { Client } from '../../../shared/client.ts'
import {
  type ImportFormat,
  type ImportReport,
  importMemories,
} from '../../../shared/contract/transfer.ts'
import { createWorkspaceClient } from '../../session/client.ts'
import { sendWithProgress } from '../../session/upload.ts'
import { refreshAfterWrite } from './actions.ts'

/** A file that is, or was, imported. */
export interface ImportJob {
  id: number
  file: File
  format: ImportFormat
  /** Sends the file to the workspace in which it was chosen. */
  client: Client
  state:
    | { is: 'waiting' }
    | { is: 'running'; share: number }
    | { is: 'done'; report: ImportReport }
    | { is: 'cancelled' }
    | { is: 'failed'; error: Error }
}

let jobs: readonly ImportJob[] = []
let nextId = 1
let running: { id: number; abort: AbortController } | undefined
const listeners = new Set<() => void>()

const setJobs = (changed: readonly ImportJob[]): void => {
  jobs = changed
  for (const listener of listeners) listener()
}

const setState = (id: number, state: ImportJob['state']): void =>
  setJobs(jobs.map((job) => (job.id === id ? { ...job, state } : job)))

const runJob = async ({ id, file, format, client }: ImportJob): Promise<void> => {
  const abort = new AbortController()
  running = { id, abort }
  setState(id, { is: 'running', share: 0 })
  try {
    const report = await client.call(importMemories, {
      query: { format },
      file,
      signal: abort.signal,
    })
    setState(id, { is: 'done', report })
  } catch (error) {
    setState(
      id,
      abort.signal.aborted
        ? { is: 'cancelled' }
        : { is: 'failed', error: error instanceof Error ? error : new Error(String(error)) },
    )
  }
  running = undefined
  await refreshAfterWrite()
}

/** One file at a time, in the order in which they were chosen: the list shows the newest first. */
const runNext = async (): Promise<void> => {
  const next = jobs.findLast(({ state }) => state.is === 'waiting')
  if (running || !next) return
  await runJob(next)
  await runNext()
}

const newJob = (file: File, format: ImportFormat): ImportJob => {
  const id = nextId++
  const send = sendWithProgress((share) => setState(id, { is: 'running', share }))
  return { id, file, format, client: createWorkspaceClient(send), state: { is: 'waiting' } }
}

/** Imports go on while other screens are shown, so they are not the state of a component. */
export const startImports = (files: readonly File[], format: ImportFormat): void => {
  const added = files.map((file) => newJob(file, format))
  setJobs([...added.toReversed(), ...jobs])
  void runNext()
}

export const retryImport = (id: number): void => {
  setState(id, { is: 'waiting' })
  void runNext()
}

export const cancelImport = (id: number): void => {
  if (running?.id === id) running.abort.abort()
  else setState(id, { is: 'cancelled' })
}

export const removeImport = (id: number): void => setJobs(jobs.filter((job) => job.id !== id))

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useImports = (): readonly ImportJob[] => useSyncExternalStore(subscribe, () => jobs)
