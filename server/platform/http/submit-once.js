// A second click sends no second form. The buttons work again on a page that the browser shows from its history.
const setButtons = (form, disabled) => {
  for (const button of form.querySelectorAll('button')) button.disabled = disabled
}
document.addEventListener('submit', ({ target, defaultPrevented }) => {
  // After the browser has read the button that was pressed.
  if (!defaultPrevented) setTimeout(setButtons, 0, target, true)
})
addEventListener('pageshow', () => {
  for (const form of document.forms) setButtons(form, false)
})
