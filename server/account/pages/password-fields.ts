import { type Html, html } from '../../platform/http/page.ts'

/** A new password, typed twice. */
export const newPasswordFields = (
  label: string,
  { maxLength, autofocus = false }: { maxLength?: number; autofocus?: boolean } = {},
): Html => html`
<label>${label}
<input name="password" type="password" required minlength="8"${maxLength && html` maxlength="${maxLength}"`} autocomplete="new-password"${autofocus && html` autofocus`}></label>
<p class="note">At least 8 characters, and not one of the 10,000 most common passwords.</p>
<label>Repeat ${label.toLowerCase()}
<input name="confirm_password" type="password" required autocomplete="new-password"></label>
${showPasswordChoice}`

/** Hidden until the script of the page shows it. */
export const showPasswordChoice: Html = html`
<label class="check" hidden><input type="checkbox" data-shows-password> Show characters</label>`
