/** The languages (BCP 47) of the console and of the pages for signing in; the first one is the default. */
export const LANGUAGES = ['en', 'de'] as const
export type Language = (typeof LANGUAGES)[number]

/** The cookie of a browser whose user has chosen a language. It is no secret. */
export const LANGUAGE_COOKIE = 'svc_language'

export const languageIn = (text: string | undefined): Language | undefined =>
  LANGUAGES.find((language) => language === text)
