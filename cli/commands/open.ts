import type { Context } from '../context.ts'
import { openBrowser } from '../programs.ts'

/** Prints the address of the console or one of its areas, and opens it in the browser. */
export const runOpen = async (context: Context, { area }: { area?: string }): Promise<void> => {
  const { io, environment, url } = context
  const page = `${url}/app${area ? `/${area}` : ''}`
  const opened = environment.browser && io.stderrIsTerminal
  if (opened) openBrowser(page, io.runtime)
  if (context.json) io.printJson({ url: page, opened })
  else io.print(page)
}
