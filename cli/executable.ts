/** Whether this is the one file that `scripts/build.ts` makes, and not a checkout. */
export const isExecutable = (): boolean =>
  import.meta.path.startsWith('/$bunfs/') || import.meta.path.includes('~BUN')
