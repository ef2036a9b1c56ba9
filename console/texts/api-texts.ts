/** A message of the API, which is English, in this language. */
export const apiText = (message: string): string => message
