import { common } from '../texts/common.ts'

let title = ''
let waiting = 0

const show = (): void => {
  document.title = `${waiting ? `(${waiting}) ` : ''}${title} · ${common.product}`
}

/** Names the document after its screen. */
export const setTitle = (text: string): void => {
  title = text
  show()
}

/** Puts the number of matters that wait for the user before the title. */
export const setWaiting = (number: number): void => {
  waiting = number
  if (title) show()
}
