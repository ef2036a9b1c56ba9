import { type Html, html } from '../../platform/http/page.ts'

/** Where somebody chooses a password: typed twice, at least eight characters. */
export const newPasswordFields = (
  label: string,
  { maxLength, autofocus = false }: { maxLength?: number; autofocus?: boolean } = {},
): Html => html`
<label>${label}
<input name="password" type="password" required minlength="8"${maxLength && html` maxlength="${maxLength}"`} autocomplete="new-password"${autofocus && html` autofocus`}></label>
<label>${label}, once more
<input name="confirm_password" type="password" required autocomplete="new-password"></label>`
