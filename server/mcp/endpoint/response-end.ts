/** Calls `onEnd` when the response is read to its end, fails or is cancelled, or the client disconnects. */
export const onResponseEnd = (
  request: Request,
  response: Response,
  onEnd: () => void,
): Response => {
  if (request.signal.aborted) onEnd()
  else request.signal.addEventListener('abort', onEnd, { once: true })
  if (!response.body) {
    onEnd()
    return response
  }
  const reader = response.body.getReader()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (!done) return controller.enqueue(value)
        onEnd()
        controller.close()
      } catch (error) {
        onEnd()
        controller.error(error)
      }
    },
    cancel(reason) {
      onEnd()
      return reader.cancel(reason)
    },
  })
  return new Response(body, { status: response.status, headers: response.headers })
}
