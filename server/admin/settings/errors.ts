import { defineErrors } from '../../platform/http/error.ts'

export const settingError = defineErrors({
  setting_unknown: (name: string) => ({
    status: 404,
    detail: `${name} is not a setting that can change while the server runs`,
  }),
  setting_fixed: (name: string) => ({
    status: 409,
    detail: `${name} is set in the environment of the server; change it there`,
  }),
  setting_changed: (name: string) => ({
    status: 409,
    detail: `${name} was changed meanwhile; load the settings again`,
  }),
})
