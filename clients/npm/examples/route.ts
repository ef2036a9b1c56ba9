/** A chat with memory as a route handler of Next.js: `app/api/chat/route.ts`. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { isStepCount, type ModelMessage, streamText } from 'ai'
import { createClient } from 'svc-client'
import { memoryTools, withMemory } from 'svc-client/ai'

const { SVC_URL = 'http://localhost:3000', SVC_API_KEY, MODEL_URL = '', MODEL = '' } = process.env
const client = createClient({ baseUrl: SVC_URL, apiKey: SVC_API_KEY })
const provider = createOpenAICompatible({ name: 'models', baseURL: MODEL_URL })

/** @param request has the id of the chat and its messages. The response is the text of the answer. */
export async function POST(request: Request): Promise<Response> {
  const { id, messages }: { id: string; messages: ModelMessage[] } = await request.json()
  const model = withMemory(provider(MODEL), {
    client,
    thread: id,
    onError: (error, action) => console.error(`Memory failed (${action}):`, error),
  })
  const result = streamText({
    model,
    messages,
    tools: memoryTools({ client, thread: id }),
    stopWhen: isStepCount(5),
    abortSignal: request.signal,
  })
  return result.toTextStreamResponse()
}
