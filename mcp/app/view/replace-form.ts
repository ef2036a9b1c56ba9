import { button, h } from './dom.ts'

interface ReplaceEvents {
  onSave(text: string, hasChanged: boolean): void
  onCancel(): void
}

/** Ids of labels. A page has several forms. */
let forms = 0

/** A form for the new text of a memory, and whether the old text was ever true. */
export const replaceForm = (text: string, { onSave, onCancel }: ReplaceEvents): HTMLFormElement => {
  const id = `replace-${++forms}`
  const input = h('textarea', { id, name: 'text', required: true, rows: '3', dir: 'auto' })
  input.value = text
  const choice = (value: string, label: string, isChecked: boolean) =>
    h(
      'label',
      { class: 'choice' },
      h('input', { type: 'radio', name: 'reason', value, checked: isChecked }),
      label,
    )
  return h(
    'form',
    {
      onsubmit: (event) => {
        event.preventDefault()
        const reason = new FormData(event.currentTarget as HTMLFormElement).get('reason')
        if (input.value.trim()) onSave(input.value.trim(), reason === 'changed')
      },
      onkeydown: (event) => {
        if ((event as KeyboardEvent).key === 'Escape') onCancel()
      },
    },
    h('label', { for: id }, 'New text'),
    input,
    h(
      'fieldset',
      {},
      h('legend', {}, 'The present text'),
      choice('wrong', 'was wrong', true),
      choice('changed', 'was true, and has changed', false),
    ),
    h(
      'div',
      { class: 'row' },
      h('button', { type: 'submit', class: 'primary' }, 'Save'),
      button('Cancel', onCancel),
    ),
  )
}
