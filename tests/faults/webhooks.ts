/** Receives the webhooks of reflexes. */
export interface Webhooks extends Disposable {
  port: number
  /** The ids of the deliveries of each event, by reflex and value of the signal. */
  deliveries: Map<string, string[]>
}

export const deliveryKey = (reflexId: string, value: unknown): string => `${reflexId} ${value}`

export const startWebhooks = (): Webhooks => {
  const deliveries: Webhooks['deliveries'] = new Map()
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { data } = (await request.json()) as {
        data: { reflex_id: string; event: { value: number } }
      }
      const key = deliveryKey(data.reflex_id, data.event.value)
      const id = request.headers.get('webhook-id') ?? ''
      deliveries.set(key, [...(deliveries.get(key) ?? []), id])
      return new Response(null, { status: 204 })
    },
  })
  return {
    deliveries,
    port: server.port ?? 0,
    [Symbol.dispose]: () => void server.stop(true),
  }
}
