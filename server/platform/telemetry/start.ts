import { logs, SeverityNumber } from '@opentelemetry/api'
import { forwardLogs } from '../log.ts'
import { enableSpans } from './spans.ts'

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
