import type { FieldError } from '../../shared/errors.ts'
import { defineErrors } from '../platform/http/error.ts'

const invalidField = (field: string, type: string, msg: string) => ({
  status: 422,
  detail: [{ loc: ['body', field], type, msg }],
})

export const automationError = defineErrors({
  handler_not_found: { status: 404, detail: 'Handler not found' },
  handler_disabled: (handler: string) => ({
    status: 409,
    detail: `${handler.replace(/^t/, 'T')} is switched off by an admin; try again later`,
  }),
  reflex_not_found: { status: 404, detail: 'Reflex not found' },
  reflex_invalid: (problems: FieldError[]) => ({ status: 422, detail: problems }),
  reflex_without_webhook: { status: 409, detail: 'The reflex has no webhook' },
  firing_not_found: { status: 404, detail: 'Firing not found' },
  confirmation_not_found: { status: 404, detail: 'Confirmation not found' },
  confirmation_already_decided: (decision: string) => ({
    status: 409,
    detail: `The confirmation was already decided: ${decision}`,
  }),
  confirmation_closed: { status: 409, detail: 'The confirmation is no longer open' },
  intent_not_found: { status: 404, detail: 'Intent not found' },
  device_not_found: { status: 404, detail: 'Device not found' },
  signal_value_invalid: (problems: FieldError[]) => ({ status: 422, detail: problems }),
  sense_json_too_long: (field: string, maxChars: number) =>
    invalidField(field, 'too_long', `JSON should have at most ${maxChars} characters`),
  signal_time_too_early: invalidField(
    'occurred_at',
    'value_error',
    'Input should not be before 1970',
  ),
})
