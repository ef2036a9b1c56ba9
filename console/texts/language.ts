/** The language of the texts of a build. Each language has this file and the same texts in a folder. */
export const language: string = 'en'
