type Child = Node | string | false | undefined

type Attributes = Record<string, string | boolean | ((event: Event) => void) | undefined>

/**
 * Creates an element. Texts become text nodes, so no memory is read as HTML.
 * @param attributes `onclick` and the like are listeners; `false` and `undefined` are left out.
 */
export const h = <K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] => {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name.slice(2), value)
    else if (value === true) element.setAttribute(name, '')
    else if (value !== undefined && value !== false) element.setAttribute(name, value)
  }
  element.append(...children.filter((child) => child !== false && child !== undefined))
  return element
}

export const button = (
  label: string,
  onclick: () => void,
  attributes: Attributes = {},
): HTMLButtonElement => h('button', { type: 'button', onclick, ...attributes }, label)
