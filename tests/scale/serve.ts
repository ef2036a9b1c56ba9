/** `svc serve`, whose webhooks reach the server of the test instead of the internet. */
import { serve } from '../../server/main.ts'

const port = Number(process.env.TEST_WEBHOOK_PORT)
await serve('svc', {
  fetching: {
    resolve: async () => ['203.0.113.1'],
    isAllowed: () => true,
    route: () => ({ host: '127.0.0.1', port }),
  },
})
