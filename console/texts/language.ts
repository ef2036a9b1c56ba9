/** The language of the texts of a build, which replaces this file. */
export const language: string = 'en'
