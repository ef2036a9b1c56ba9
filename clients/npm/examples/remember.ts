/** Signs up, tells svc a fact in a chat, and asks for it in another one: `bun remember.ts URL EMAIL PASSWORD`. */
import { createClient } from 'svc-client'

const [baseUrl = '', email = '', password = ''] = process.argv.slice(2)
const svc = createClient({ baseUrl })
await svc.account.signUp({ email, password, confirm_password: password })

await svc.memories.remember({ content: 'Ada drinks green tea.' })
const { memories } = await svc.memories.recall({ query: 'What does Ada drink?' })
console.log(`recalled: ${memories[0]?.content_text}`)

const parts = await svc.conversation.talkStream({
  agent_slug: 'barista',
  message: 'What does Ada drink?',
})
for await (const part of parts) if (part.event === 'delta') process.stdout.write(part.data.text)
console.log()

await svc.account.signOut()
