export const language: string = 'de'
