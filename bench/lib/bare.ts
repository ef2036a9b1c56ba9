/**
 * A minimal server with one indexed select: `bare.ts PORT DATABASE USER_ID`, with the URL of the database or the
 * data directory of a running embedded one.
 */
import { Elysia } from 'elysia'
import postgres from 'postgres'
import { addressBeside, clientOptions } from '../../server/platform/db/embedded/open.ts'

const [port, database = '', userId = ''] = process.argv.slice(2)
const settings = { max: 10, onnotice: () => {} }
const sql = database.includes('://')
  ? postgres(database, settings)
  : postgres({ ...settings, ...clientOptions(addressBeside(database)) })

new Elysia()
  .get('/', async () => {
    const [user] = await sql`select * from users where id = ${userId}`
    return user
  })
  .listen({ hostname: '127.0.0.1', port: Number(port) })
