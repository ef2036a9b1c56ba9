/** The browser reads the URL after the click. */
const REVOKE_AFTER_MS = 60_000

/** Saves a file in the downloads of the browser. */
export const saveFile = (name: string, content: Blob): void => {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), REVOKE_AFTER_MS)
}
