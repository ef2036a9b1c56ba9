/** Signs up, stores a memory, and streams an answer that uses it: `bun chat.ts URL EMAIL PASSWORD`. */
import { createInterface } from 'node:readline/promises'
import { createClient } from 'svc-client'

const [baseUrl = '', email = '', password = ''] = process.argv.slice(2)
const svc = createClient({ baseUrl })
await svc.account.signUp({ email, password, confirm_password: password })

const terminal = createInterface(process.stdin, process.stdout)
await terminal.question('Open the link in the verification email, then press Enter.\n')
terminal.close()

await svc.memories.remember({ content: 'Ada drinks green tea.' })

const parts = await svc.conversation.chatStream({ message: 'What does Ada drink?' })
for await (const part of parts) {
  if (part.event === 'memories')
    for (const { content_text } of part.data.memories) console.log(`Memory: ${content_text}`)
  if (part.event === 'delta') process.stdout.write(part.data.text)
}
console.log()

await svc.account.signOut()
