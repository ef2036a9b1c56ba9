import { button, h } from './dom.ts'
import { explanationList, format } from './explanation.ts'
import type { CardMemory } from './memory.ts'
import { replaceForm } from './replace-form.ts'

/** Reverts an action. */
export type Undo = () => Promise<unknown>

/** The actions of a memory's card. Each returns how to undo it. */
export interface CardActions {
  /** Absent where the connection may not. */
  replace?(memory: CardMemory, content: string, hasChanged: boolean): Promise<Undo>
  markIrrelevant?(memory: CardMemory): Promise<Undo>
  forget?(memory: CardMemory): Promise<Undo>
  /** The whole text of a memory that is an excerpt. */
  readWhole(memory: CardMemory): Promise<string>
  /** The memory with the parts of its score; undefined if it is not found any more. */
  explain(memory: CardMemory): Promise<CardMemory | undefined>
  /** The date, origin and labels. */
  describe(memory: CardMemory): string[]
  /** Announces a change, and informs the model of it. */
  announce(text: string, memory: CardMemory): void
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : `${error}`)

/** Longer texts scroll, so that the other memories stay in view. */
const LONG_CHARS = 1_500

const setContent = (content: HTMLElement, text: string): void => {
  content.textContent = text
  const isLong = text.length > LONG_CHARS
  content.classList.toggle('long', isLong)
  // Keys scroll what has the focus.
  if (isLong) content.tabIndex = 0
  else content.removeAttribute('tabindex')
}

/** The card of one memory. */
export const createCard = (memory: CardMemory, actions: CardActions): HTMLElement => {
  const content = h('p', { class: 'content', dir: 'auto' })
  setContent(content, memory.content_text)
  const bar = h('div', { class: 'actions' })
  const problem = h('p', { class: 'problem', role: 'alert' })
  const card = h(
    'article',
    { 'aria-label': memory.content_text.slice(0, 80) },
    content,
    // Isolated, so that the direction of one label changes no other.
    h(
      'ul',
      { class: 'labels' },
      ...actions.describe(memory).map((text) => h('li', { dir: 'auto', title: text }, text)),
    ),
    typeof memory.score === 'number' && scoreBar(memory.score),
    why(memory, actions),
    bar,
    problem,
  )
  const show = (...children: HTMLElement[]) => {
    bar.replaceChildren(...children)
    problem.textContent = ''
  }
  /** One action at a time: keys and buttons wait for it. A problem is shown, and they work again. */
  const run = async (work: () => Promise<void>) => {
    if (bar.ariaBusy === 'true') return
    bar.ariaBusy = 'true'
    const focused = document.activeElement
    const buttons = [...bar.querySelectorAll('button')]
    for (const each of buttons) each.disabled = true
    problem.textContent = ''
    await work().catch((error: unknown) => {
      problem.textContent = messageOf(error)
    })
    bar.ariaBusy = 'false'
    for (const each of buttons) each.disabled = false
    // A disabled button loses the focus.
    if (document.activeElement === document.body && focused instanceof HTMLElement) focused.focus()
  }
  const showButtons = (isFocused: boolean) => {
    show(...cardButtons({ memory, content, actions, run, show, done, showButtons }))
    if (isFocused) bar.querySelector('button')?.focus()
  }
  const done = (text: string, undo: Undo, revert?: () => void) => {
    actions.announce(text, memory)
    const undoButton = button('Undo', () =>
      run(async () => {
        await undo()
        revert?.()
        content.classList.remove('forgotten')
        actions.announce('Undone', memory)
        showButtons(true)
      }),
    )
    show(h('p', { class: 'outcome' }, `${text}.`), undoButton)
    undoButton.focus()
  }
  showButtons(false)
  return card
}

interface ButtonContext {
  memory: CardMemory
  content: HTMLElement
  actions: CardActions
  run(work: () => Promise<void>): Promise<void>
  show(...children: HTMLElement[]): void
  done(text: string, undo: Undo, revert?: () => void): void
  showButtons(isFocused: boolean): void
}

const cardButtons = (context: ButtonContext): HTMLButtonElement[] => {
  const { memory, content, actions, run, done } = context
  const { replace, markIrrelevant, forget } = actions
  const readWhole = async () => {
    memory.content_text = await actions.readWhole(memory)
    memory.truncated = false
    setContent(content, memory.content_text)
  }
  const whole = button('Show all', () =>
    run(async () => {
      await readWhole()
      context.showButtons(true)
    }),
  )
  const edit = () =>
    run(async () => {
      // A correction replaces the whole text.
      if (memory.truncated) await readWhole()
      const form = replaceForm(memory.content_text, {
        onCancel: () => run(async () => context.showButtons(true)),
        onSave: (text, hasChanged) =>
          run(async () => {
            const before = memory.content_text
            const undo = await replace?.(memory, text, hasChanged)
            if (!undo) return
            setContent(content, text)
            done('Replaced', undo, () => {
              setContent(content, before)
            })
          }),
      })
      context.show(form)
      form.querySelector('textarea')?.focus()
    })
  return [
    ...(memory.truncated ? [whole] : []),
    ...(replace ? [button('Replace…', edit)] : []),
    ...(markIrrelevant
      ? [
          button('Not relevant here', () =>
            run(async () => done('Marked as not relevant here', await markIrrelevant(memory))),
          ),
        ]
      : []),
    ...(forget
      ? [
          button('Forget', () =>
            run(async () => {
              done('Forgotten', await forget(memory))
              content.classList.add('forgotten')
            }),
          ),
        ]
      : []),
  ]
}

const scoreBar = (score: number): HTMLElement => {
  const share = Math.min(1, Math.max(0, score))
  const fill = h('span', { class: 'fill' })
  fill.style.width = `${Math.max(2, share * 100)}%`
  return h(
    'div',
    { class: 'score' },
    h('span', { class: 'track', role: 'img', 'aria-label': `Score ${format(share)} of 1` }, fill),
    h('span', { 'aria-hidden': 'true', class: 'quiet' }, format(share)),
  )
}

/** The parts of the score are read when the user opens them. */
const why = (memory: CardMemory, actions: CardActions): HTMLElement => {
  const text = h('p', { class: 'quiet', role: 'status' })
  const details: HTMLDetailsElement = h(
    'details',
    {
      ontoggle: () => {
        if (details.open && details.lastChild === text) void load()
      },
    },
    h('summary', {}, 'Why this memory?'),
    text,
  )
  const load = async () => {
    text.textContent = 'Loading…'
    try {
      const found = memory.explanation ? memory : await actions.explain(memory)
      if (found?.explanation) text.replaceWith(explanationList(found.explanation))
      else text.textContent = 'The same question does not find it any more.'
    } catch (error) {
      text.textContent = messageOf(error)
    }
  }
  return details
}
