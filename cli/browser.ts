import type { Runtime } from './runtime.ts'

/** Opens a page in the browser. Failures are ignored, because the terminal shows the address too. */
export const openBrowser = (page: string, runtime: Runtime): void => {
  const url = URL.canParse(page) ? new URL(page) : undefined
  if (url && /^https?:$/.test(url.protocol)) runtime.launch([...opener(), url.href])
}

const opener = (): string[] => {
  if (process.platform === 'darwin') return ['open']
  // Not `start`: it is a shell command, and the shell would run the text after an & in the address.
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  return ['xdg-open']
}
