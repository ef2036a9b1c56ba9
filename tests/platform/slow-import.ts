import { createClient } from '../../shared/client.ts'
import { importUsers } from '../../shared/contract/user-import.ts'

/** Imports users at the server of the first argument, and then sends a request with the timeout of Bun. */
const [url = ''] = process.argv.slice(2)
const file = new ReadableStream<Uint8Array>({
  start(controller) {
    controller.enqueue(new TextEncoder().encode('{"email":"a@example.com"}\n'))
    controller.close()
  },
})
const imported = createClient({ baseUrl: url, credential: 'none' }).call(importUsers, { file })
const other = await fetch(url).then(
  () => 'answered',
  () => 'ended',
)
process.stdout.write(JSON.stringify({ other, report: await imported }))
