import { button, h } from './dom.ts'

interface ReplaceEvents {
  onSave(text: string, hasChanged: boolean): void
  onCancel(): void
}

/** Ids of labels. A page has several forms. */
let forms = 0

/**
 * The fields for the new text of a memory, and whether the old text was ever true. The sandbox of a host
 * blocks the submission of a form, so it has none.
 */
export const replaceForm = (text: string, { onSave, onCancel }: ReplaceEvents): HTMLElement => {
  const id = `replace-${++forms}`
  const input = h('textarea', { id, rows: '3', dir: 'auto' })
  input.value = text
  const radio = (isChecked: boolean) =>
    h('input', { type: 'radio', name: `${id}-reason`, checked: isChecked })
  const changed = radio(false)
  const save = () => {
    const content = input.value.trim()
    if (content) onSave(content, changed.checked)
    else input.focus()
  }
  return h(
    'div',
    {
      class: 'form',
      role: 'group',
      'aria-label': 'Replace',
      onkeydown: (event) => {
        const { key, ctrlKey, metaKey } = event as KeyboardEvent
        if (key === 'Escape') onCancel()
        if (key === 'Enter' && (ctrlKey || metaKey)) save()
      },
    },
    h('label', { for: id }, 'New text'),
    input,
    h(
      'fieldset',
      {},
      h('legend', {}, 'The present text'),
      h('label', { class: 'choice' }, radio(true), 'was wrong'),
      h('label', { class: 'choice' }, changed, 'was true, and has changed'),
    ),
    h(
      'div',
      { class: 'row' },
      button('Save', save, { class: 'primary' }),
      button('Cancel', onCancel),
    ),
  )
}
