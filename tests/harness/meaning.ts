/**
 * Turns the encoder off, which takes a second of processor time and 200 MB for each server that uses it. Tests of
 * meaning name `SVC_EMBEDDING` themselves: undefined for the built-in encoder.
 */
export const withoutMeaning = (
  env: Record<string, string | undefined>,
): { SVC_EMBEDDING?: 'off' } =>
  Object.keys(env).some((name) => name.startsWith('SVC_EMBEDDING')) ? {} : { SVC_EMBEDDING: 'off' }
