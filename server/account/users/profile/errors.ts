import { defineErrors } from '../../../platform/http/error.ts'

export const profileError = defineErrors({
  picture_type_not_allowed: { status: 400, detail: 'The picture must be a JPEG, PNG or WebP' },
  picture_too_large: { status: 400, detail: 'The picture is larger than 5 MB' },
  picture_not_readable: {
    status: 400,
    detail: 'The picture cannot be read as a JPEG, PNG or WebP',
  },
  picture_not_found: { status: 404, detail: 'Picture not found' },
})
