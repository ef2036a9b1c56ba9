/** Whether svc runs from the executable of `scripts/build.ts`, not from a checkout. */
export const isExecutable = (): boolean =>
  import.meta.path.startsWith('/$bunfs/') || import.meta.path.includes('~BUN')
