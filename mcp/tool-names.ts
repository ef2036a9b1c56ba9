/** The names in a text such as `recall, list`. An empty text names none. */
export const parseToolNames = (text: string | null | undefined): string[] | undefined => {
  const names = (text ?? '').split(',').map((name) => name.trim())
  const given = names.filter((name) => name !== '')
  return given.length ? given : undefined
}
