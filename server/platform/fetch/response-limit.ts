/** `fetch` for a library that reads whole responses: reading fails after `maxBytes`. */
export const limitedFetch = (maxBytes: number): typeof fetch => {
  const limited = async (...request: Parameters<typeof fetch>): Promise<Response> => {
    const response = await fetch(...request)
    return new Response(response.body?.pipeThrough(limitTo(maxBytes)), response)
  }
  return Object.assign(limited, { preconnect: fetch.preconnect })
}

const limitTo = (maxBytes: number) => {
  let size = 0
  return new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      size += chunk.byteLength
      if (size > maxBytes)
        controller.error(new Error(`The response has more than ${maxBytes} bytes`))
      else controller.enqueue(chunk)
    },
  })
}
