/** A minimal server with one indexed select: `bare.ts PORT DATABASE_URL USER_ID`. */
import { Elysia } from 'elysia'
import postgres from 'postgres'

const [port, url = '', userId = ''] = process.argv.slice(2)
const sql = postgres(url, { max: 10, onnotice: () => {} })

new Elysia()
  .get('/', async () => {
    const [user] = await sql`select * from users where id = ${userId}`
    return user
  })
  .listen({ hostname: '127.0.0.1', port: Number(port) })
