import {
  type Attributes,
  context,
  logs,
  propagation,
  SeverityNumber,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import type { Elysia } from 'elysia'
import { forwardLogs } from './log.ts'

const tracer = trace.getTracer('svc')
let isOn = false

/** Called once the SDK has started. Until then nothing of this module has a cost. */
const enableSpans = (): void => {
  isOn = true
}

export const isTracingOn = (): boolean => isOn

const fail = (span: Span, error: unknown): void => {
  // Messages may contain user content.
  span.setAttribute('error.type', error instanceof Error ? error.name : typeof error)
  span.setStatus({ code: SpanStatusCode.ERROR })
}

/** Runs `work` in a span, of the request that is active. Attributes never contain user content. */
export const traced = <T>(
  name: string,
  attributes: Attributes,
  work: () => Promise<T>,
  kind = SpanKind.INTERNAL,
): Promise<T> => {
  if (!isOn) return work()
  return tracer.startActiveSpan(name, { kind, attributes }, async (span) => {
    try {
      return await work()
    } catch (error) {
      fail(span, error)
      throw error
    } finally {
      span.end()
    }
  })
}

/**
 * The same for work that the caller pulls.
 * @param describe adds attributes from a value.
 */
export async function* tracedStream<T>(
  name: string,
  attributes: Attributes,
  values: AsyncIterable<T>,
  describe: (value: T) => Attributes | undefined,
): AsyncGenerator<T> {
  if (!isOn) return yield* values
  const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes })
  try {
    for await (const value of values) {
      const more = describe(value)
      if (more) span.setAttributes(more)
      yield value
    }
  } catch (error) {
    fail(span, error)
    throw error
  } finally {
    span.end()
  }
}

/** Whether a statement, of the database or a provider, belongs to a recorded request or job. */
export const isTraced = (): boolean => isOn && trace.getActiveSpan()?.isRecording() === true

const headerGetter = {
  keys: (headers: Headers) => [...headers.keys()],
  get: (headers: Headers, name: string) => headers.get(name) ?? undefined,
}

/**
 * Runs each request in a span. It continues the trace of a `traceparent` header of a trusted proxy. That
 * of another client is only linked, because its flag would decide whether the trace is sampled.
 */
export const traceRequests = (app: Elysia, isTrustedProxy: (address: string) => boolean): void => {
  if (!isOn) return
  app.wrap((handle, request) => {
    const active = context.active()
    const remote = propagation.extract(active, request.headers, headerGetter)
    const client = remote === active ? undefined : trace.getSpanContext(remote)
    const isTrusted = isTrustedProxy(app.server?.requestIP(request)?.address ?? '')
    const parent = isTrusted ? remote : active
    const links = client && !isTrusted ? [{ context: client }] : []
    const span = tracer.startSpan(request.method, { kind: SpanKind.SERVER, links }, parent)
    return context.bind(trace.setSpan(parent, span), handle)
  })
}

/** Ends the span of the request that is active. */
export const endRequestSpan = (served: {
  method: string
  route: string
  status: number | string
}) => {
  const span = isOn ? trace.getActiveSpan() : undefined
  if (!span) return
  const { method, route, status } = served
  span.updateName(`${method} ${route}`)
  span.setAttributes({
    'http.request.method': method,
    'http.route': route,
    'http.response.status_code': Number(status),
  })
  if (Number(status) >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
  span.end()
}

/**
 * Exports traces and logs as the `OTEL_*` variables of the process say, which the SDK reads by itself.
 * Metrics are not exported: Prometheus scrapes them.
 */
export const startTelemetry = async (serviceName: string): Promise<{ stop(): Promise<void> }> => {
  // Only here, because it is large.
  const { NodeSDK } = await import('@opentelemetry/sdk-node')
  const sdk = new NodeSDK({ serviceName, instrumentations: [], metricReaders: [] })
  sdk.start()
  enableSpans()
  const logger = logs.getLogger('svc')
  forwardLogs((line) => {
    const { level, time, msg, ...attributes } = JSON.parse(line)
    const severityText = String(level).toUpperCase()
    logger.emit({
      severityText,
      severityNumber: SeverityNumber[severityText as keyof typeof SeverityNumber],
      timestamp: new Date(time),
      body: msg,
      attributes,
    })
  })
  return { stop: () => sdk.shutdown() }
}
