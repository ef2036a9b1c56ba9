import { defineErrors } from '../../platform/http/error.ts'

export const webhookError = defineErrors({
  webhook_not_found: { status: 404, detail: 'Webhook not found' },
  delivery_not_found: { status: 404, detail: 'Delivery not found' },
  webhook_url_refused: (msg: string) => ({
    status: 422,
    detail: [{ loc: ['body', 'url'], type: 'value_error', msg }],
  }),
})
