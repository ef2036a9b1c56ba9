import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  Registry,
} from 'prom-client'
import packageJson from '../../package.json'
import type { ServerRole } from '../../shared/contract/health.ts'

/** The parts of a recall: reading the question, and the search of a scope with that by vector in it. */
export type RecallPart = 'question' | 'search' | 'vectors'

/** Why a model gave no answer, or `answered`; `abandoned` if the client disconnected. */
export type ModelOutcome = 'answered' | 'failed' | 'abandoned'

/** Instruments for the work of this process, in the format of Prometheus. Times are in milliseconds. */
export type Metrics = ReturnType<typeof createMetrics>

/** In seconds: from a small read to a slow model. */
const REQUEST_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60]
const RECALL_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1]
const MODEL_BUCKETS = [0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]

export const createMetrics = (role: ServerRole) => {
  /** Those of this process. */
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  new Gauge({
    name: 'svc_build_info',
    help: 'The version of svc, and the role of this server',
    labelNames: ['version', 'role'],
    aggregator: 'first',
    registers,
  })
    .labels(packageJson.version, role)
    .set(1)
  addGauge('svc_processes', 'Processes of this server that answer', registers, () => 1)
  const requests = new Histogram({
    name: 'svc_http_request_duration_seconds',
    help: 'Time from the receipt of a request to its response',
    labelNames: ['method', 'route', 'status'],
    buckets: REQUEST_BUCKETS,
    registers,
  })
  const recalls = new Histogram({
    name: 'svc_recall_duration_seconds',
    help: 'Time of recalls, by part',
    labelNames: ['part'],
    buckets: RECALL_BUCKETS,
    registers,
  })
  const indexLoads = new Counter({
    name: 'svc_recall_index_loads_total',
    help: 'How often the memories of an owner were read into memory',
    registers,
  })
  const written = new Counter({
    name: 'svc_memories_written_total',
    help: 'Memories that were written or imported, duplicates included',
    registers,
  })
  const models = new Histogram({
    name: 'svc_model_duration_seconds',
    help: 'Time of the answers of model providers',
    labelNames: ['provider', 'outcome'],
    buckets: MODEL_BUCKETS,
    registers,
  })
  const tokens = new Counter({
    name: 'svc_model_tokens_total',
    help: 'Tokens of the answers of model providers',
    labelNames: ['provider', 'direction'],
    registers,
  })
  return {
    registry,

    /** @param request `route` is the pattern of the path, so that paths with ids share one series. */
    observeRequest: (
      { method, route, status }: { method: string; route: string; status: number | string },
      ms: number,
    ): void => requests.labels(method, route, String(status)).observe(ms / 1000),
    observeRecall: (part: RecallPart, ms: number): void => recalls.labels(part).observe(ms / 1000),

    /** Counts an owner whose memories were read into memory. */
    countIndexLoad: (): void => indexLoads.inc(),

    /** Called at each scrape. */
    reportIndexes(report: () => { owners: number; bytes: number }): void {
      addGauge(
        'svc_recall_index_owners',
        'Owners whose memories are indexed in memory',
        registers,
        () => report().owners,
      )
      addGauge('svc_recall_index_bytes', 'Memory of these indexes', registers, () => report().bytes)
    },

    /** Counts memories that were written or imported, duplicates included. */
    countWritten: (memories: number): void => written.inc(memories),
    observeModel(
      {
        provider,
        outcome,
        usage,
      }: {
        provider: string
        outcome: ModelOutcome
        usage?: { input_tokens: number; output_tokens: number } | undefined
      },
      ms: number,
    ): void {
      models.labels(provider, outcome).observe(ms / 1000)
      if (!usage) return
      tokens.labels(provider, 'input').inc(usage.input_tokens)
      tokens.labels(provider, 'output').inc(usage.output_tokens)
    },
  }
}

/** A gauge that is read at each scrape. */
const addGauge = (name: string, help: string, registers: Registry[], read: () => number): void => {
  new Gauge({
    name,
    help,
    registers,
    collect() {
      this.set(read())
    },
  })
}

/** The metrics of several processes as those of one: counts and sizes are added. */
export const mergeReports = (reports: object[][]): Registry => AggregatorRegistry.aggregate(reports)
