import { defineErrors } from '../../platform/http/error.ts'

export const signInError = defineErrors({
  wrong_credentials: { status: 401, detail: 'Invalid email or password' },
  no_password: {
    status: 400,
    detail: 'This account signs in through a provider and has no password',
  },
  mailed_code_wrong: { status: 401, detail: 'This code is wrong or has expired' },
  wrong_sign_in_code: { status: 401, detail: 'Invalid code' },
  // A `Secure` cookie (contract 5.1); browsers accept it without TLS from the same machine only.
  cookie_not_kept: {
    status: 400,
    detail:
      'The browser did not keep the session cookie. Open svc over HTTPS, or at http://localhost on the same machine',
  },
  passwords_do_not_match: { status: 400, detail: 'Passwords do not match' },
  last_sign_in_method: {
    status: 400,
    detail: 'This is the only way to sign in; set a password first',
  },
  password_length: { status: 400, detail: 'The password must have 8-128 characters' },
})
