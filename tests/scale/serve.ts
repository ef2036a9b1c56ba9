/** `svc serve`, whose webhooks reach the server of the test instead of the internet. */
import { serve } from '../../server/main.ts'
import { fetchingFrom } from '../harness/web.ts'

await serve('svc', { fetching: fetchingFrom(Number(process.env.TEST_WEBHOOK_PORT)) })
