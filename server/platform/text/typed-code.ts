/**
 * A code as it was typed, without spaces and dashes. Keyboards of East Asian languages type full-width digits and
 * letters (NFKC).
 */
export const readTypedCode = (typed: string): string =>
  typed.normalize('NFKC').replace(/[\s\p{Pd}]/gu, '')
