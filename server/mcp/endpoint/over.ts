/**
 * Tells when an exchange is over: its answer was read to the end, or is read no further, or whoever
 * asked has left.
 */
export const whenOver = (request: Request, response: Response, over: () => void): Response => {
  if (request.signal.aborted) over()
  else request.signal.addEventListener('abort', over, { once: true })
  if (!response.body) {
    over()
    return response
  }
  const reader = response.body.getReader()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (!done) return controller.enqueue(value)
        over()
        controller.close()
      } catch (error) {
        over()
        controller.error(error)
      }
    },
    cancel(reason) {
      over()
      return reader.cancel(reason)
    },
  })
  return new Response(body, { status: response.status, headers: response.headers })
}
