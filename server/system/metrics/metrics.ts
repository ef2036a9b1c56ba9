import { timingSafeEqual } from 'node:crypto'
import type { Elysia } from 'elysia'
import { Counter, Gauge, Registry } from 'prom-client'
import type { AdminQueues } from '../../../shared/contract/operations.ts'
import type { EngineControl } from '../../memory/engines/control.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Admission } from '../../platform/http/admission.ts'
import { defineErrors } from '../../platform/http/error.ts'
import { bearerToken } from '../../platform/http/guard.ts'
import type { OpenStreams } from '../../platform/http/streams.ts'
import { type Metrics, mergeReports } from '../../platform/metrics.ts'
import type { Models } from '../../platform/models/types.ts'
import { hashSecret } from '../../platform/secrets.ts'
import type { Siblings } from '../../platform/web-processes.ts'
import { countConnections } from './store.ts'

export interface MetricsOptions {
  metrics: Metrics
  /** `SVC_METRICS_TOKEN` */
  token: string
  sources: GaugeSources
  /** The other processes of this server. */
  siblings: Siblings | undefined
}

/** Serves `/metrics` in the text format of Prometheus to a client with the bearer token. */
export const serveMetrics = (
  app: Elysia,
  { metrics: { registry }, token, sources, siblings }: MetricsOptions,
): void => {
  addProcessMetrics(registry, sources)
  const ofDatabase = new Registry()
  const readGauges = addGauges(ofDatabase, sources)
  const expected = Buffer.from(hashSecret(token))
  app.get(
    '/metrics',
    async ({ request }) => {
      const input = Buffer.from(hashSecret(bearerToken(request.headers.get('authorization')) ?? ''))
      if (!timingSafeEqual(input, expected)) throw metricsError('wrong_metrics_token')
      const [others = []] = await Promise.all([siblings?.reports(), readGauges()])
      const ofProcesses = others.length
        ? mergeReports([await registry.getMetricsAsJSON(), ...others])
        : registry
      return new Response(`${await ofProcesses.metrics()}\n${await ofDatabase.metrics()}`, {
        headers: { 'content-type': registry.contentType },
      })
    },
    { detail: { hide: true } },
  )
}

const metricsError = defineErrors({
  wrong_metrics_token: {
    status: 401,
    detail: 'The bearer token is not SVC_METRICS_TOKEN',
    headers: { 'www-authenticate': 'Bearer realm="metrics"' },
  },
})

export interface GaugeSources {
  database: Pick<Database, 'query' | 'reads'>
  engines: Pick<EngineControl, 'backlogs'>
  queues: { read(): Promise<AdminQueues> }
  models: Pick<Models, 'states'>
  streams: Pick<OpenStreams, 'count'>
  admission: Pick<Admission, 'report'>
}

/** Adds the metrics that a process reads of itself at each scrape. */
const addProcessMetrics = (
  registry: Registry,
  { database, models, streams, admission }: GaugeSources,
): void => {
  const registers = [registry]
  new Gauge({
    name: 'svc_http_open_streams',
    help: 'Streams that are open in this server',
    registers,
    collect() {
      this.set(streams.count())
    },
  })
  addQueueMetrics(registers, admission)
  new Gauge({
    name: 'svc_model_breaker_open',
    help: '1 while calls of a provider are suspended',
    labelNames: ['provider'],
    aggregator: 'max',
    registers,
    collect() {
      for (const { provider, state } of models.states())
        this.set({ provider }, Number(state === 'open'))
    },
  })
  const { replica } = database.reads
  if (!replica) return
  new Counter({
    name: 'svc_read_replica_recalls_total',
    help: 'Recalls of this server by the server that answered',
    labelNames: ['server'],
    registers,
    collect() {
      this.reset()
      this.inc({ server: 'replica' }, replica.counts.replica)
      this.inc({ server: 'primary' }, replica.counts.primary)
    },
  })
}

/** Adds the metrics of the queues of requests. */
const addQueueMetrics = (registers: Registry[], { report }: Pick<Admission, 'report'>): void => {
  const labelNames = ['queue']
  new Gauge({
    name: 'svc_http_waiting_requests',
    help: 'Requests that wait until they run',
    labelNames,
    registers,
    collect() {
      for (const [queue, { waiting }] of report()) this.set({ queue }, waiting)
    },
  })
  new Gauge({
    name: 'svc_http_queue_delay_seconds',
    help: 'The wait of the oldest of them so far',
    labelNames,
    aggregator: 'max',
    registers,
    collect() {
      for (const [queue, { delayMs }] of report()) this.set({ queue }, delayMs / 1000)
    },
  })
  new Counter({
    name: 'svc_http_refused_requests_total',
    help: 'Requests that were refused because the server had more than it could answer',
    labelNames,
    registers,
    collect() {
      this.reset()
      for (const [queue, { refused }] of report()) this.inc({ queue }, refused)
    },
  })
}

/**
 * Adds the gauges that are read for each scrape. Counts of the database include all svc processes: take
 * the maximum over processes, not the sum.
 * @returns a function that reads them. While the database is down, its gauges have no values.
 */
const addGauges = (registry: Registry, sources: GaugeSources): (() => Promise<void>) => {
  const { database, engines, queues } = sources
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry] })

  const up = gauge('svc_database_up', '1 if the database answers')
  const pending = gauge('svc_engine_pending_tasks', 'Memories that an engine has not processed', [
    'engine',
  ])
  const age = gauge('svc_engine_oldest_task_age_seconds', 'Age of the oldest pending task', [
    'engine',
  ])
  const jobs = gauge('svc_jobs', 'Jobs by queue and state', ['queue', 'state'])
  const emails = gauge('svc_outbound_emails', 'Unsent emails by state', ['state'])
  const connections = gauge('svc_database_connections', 'Connections by pool and state', [
    'pool',
    'state',
  ])

  const reset = () => {
    for (const each of [pending, age, jobs, emails, connections]) each.reset()
  }
  const readDatabase = async () => {
    const [backlogs, queued, open] = await Promise.all([
      engines.backlogs(),
      queues.read(),
      countConnections(database.query),
    ])
    // After the reads: a concurrent scrape finds the values of either one, and never none.
    reset()
    for (const { engine, pending: count, oldestSeconds } of backlogs) {
      pending.set({ engine }, count)
      age.set({ engine }, oldestSeconds)
    }
    for (const { kind: queue, waiting, active, failed } of queued.jobs)
      for (const [state, count] of Object.entries({ waiting, active, failed }))
        jobs.set({ queue, state }, count)
    emails.set({ state: 'queued' }, queued.outbox.queued)
    emails.set({ state: 'failed' }, queued.outbox.failed)
    for (const { pool, state, count } of open) connections.set({ pool, state }, count)
  }
  const readReplica = database.reads.replica && addReplicaGauges(gauge, database.reads.replica)
  return async () => {
    const isUp = await readDatabase().then(
      () => true,
      () => false,
    )
    if (!isUp) reset()
    up.set(Number(isUp))
    await readReplica?.()
  }
}

type NewGauge = <Label extends string>(name: string, help: string, labels?: Label[]) => Gauge<Label>

/** @returns a function that reads the state of the replica. */
const addReplicaGauges = (
  gauge: NewGauge,
  { report }: NonNullable<Database['reads']['replica']>,
): (() => Promise<void>) => {
  const up = gauge('svc_read_replica_up', '1 if the read replica is in use')
  const bytes = gauge('svc_read_replica_lag_bytes', 'Bytes of the log that it has not replayed')
  const seconds = gauge('svc_read_replica_lag_seconds', 'Seconds since the last replayed commit')
  return async () => {
    for (const each of [bytes, seconds]) each.reset()
    const found = await report().catch(() => undefined)
    up.set(Number(found?.state === 'in use'))
    if (found?.lagBytes !== undefined) bytes.set(found.lagBytes)
    if (found?.lagSeconds !== undefined) seconds.set(found.lagSeconds)
  }
}
