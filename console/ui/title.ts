import { common } from '../texts/common.ts'

let title = ''
const waiting = new Map<string, number>()

const show = (): void => {
  const number = waiting.values().reduce((sum, each) => sum + each, 0)
  document.title = `${number ? `(${number}) ` : ''}${title} · ${common.product}`
}

/** Names the document after its screen. */
export const setTitle = (text: string): void => {
  title = text
  show()
}

/** Puts the number of matters that wait for the user, in all areas, before the title. */
export const setWaiting = (area: string, number: number): void => {
  waiting.set(area, number)
  if (title) show()
}
