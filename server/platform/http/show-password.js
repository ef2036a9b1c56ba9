// Shows the checkbox that shows typed passwords; without scripts it stays hidden.
for (const choice of document.querySelectorAll('[data-shows-password]')) {
  choice.closest('label').hidden = false
  choice.addEventListener('change', () => {
    for (const field of choice.form.querySelectorAll('input[autocomplete$="-password"]'))
      field.type = choice.checked ? 'text' : 'password'
  })
}
