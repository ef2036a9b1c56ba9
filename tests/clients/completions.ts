import { type Behaviour, calls, says } from '../harness/model-server.ts'

type Call = [name: string, args: unknown]

const complete = (content: string, tools: Call[]) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'a-model',
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content,
        ...(tools.length > 0 && {
          tool_calls: tools.map(([name, args], index) => ({
            id: `call_${index}_${name}`,
            type: 'function',
            function: { name, arguments: JSON.stringify(args) },
          })),
        }),
      },
      finish_reason: tools.length ? 'tool_calls' : 'stop',
    },
  ],
  usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 },
})

/** Answers with a text, or calls tools, as the request wants it: in pieces or as one completion. */
const behaviour =
  (text: string | string[], ...tools: Call[]): Behaviour =>
  (response, call) => {
    if (call.body.stream) return (tools.length ? calls(...tools) : says(text))(response, call)
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(complete([text].flat().join(''), tools)))
  }

export const answers = (text: string | string[]): Behaviour => behaviour(text)
export const callsTools = (...tools: Call[]): Behaviour => behaviour('', ...tools)
