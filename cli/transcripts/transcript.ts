import type { CliEnvironment } from '../config.ts'

/** The variables that determine where assistants keep their transcripts. */
export type TranscriptEnvironment = Pick<
  CliEnvironment,
  'home' | 'codexHome' | 'claudeConfigDir' | 'xdgDataHome'
>

export interface TranscriptText {
  text: string
  /** When it was written, as the transcript states it. */
  at: string | undefined
}

/** A prompt of a person with the final text of the assistant. */
export interface TranscriptTurn {
  session: string
  /** The folder in which the assistant worked. */
  folder: string | undefined
  /** The id of the turn, which hooks receive too, or the ordinal of the prompt. */
  id: string
  /** The number of the turn in the session, from 1. */
  ordinal: number
  /** More than one if the person wrote while the assistant worked. */
  prompts: TranscriptText[]
  answer: TranscriptText | undefined
}

/** A file with one or more sessions. */
export interface TranscriptFile {
  path: string
  changedAt: number
}

/** Called for a line or record that is damaged or too long. */
export type OnUnreadable = () => void

/** The transcripts of an assistant. */
export interface TranscriptFormat {
  title: string
  /** The directory that is searched, for messages. */
  directory(place: TranscriptEnvironment): string
  find(place: TranscriptEnvironment): Promise<TranscriptFile[]>
  /** Reads the turns of a file in order. Files of any size are read in little memory. */
  read(file: TranscriptFile, onUnreadable: OnUnreadable): AsyncIterable<TranscriptTurn>
}

export const textField = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** The text of a message whose content is a text, or parts of which some are texts. */
export const partsText = (content: unknown, types: readonly string[] = []): string => {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .flatMap((part: unknown) => {
      if (typeof part === 'string') return [part]
      if (typeof part !== 'object' || part === null || !('text' in part)) return []
      const isWanted = types.length === 0 || ('type' in part && types.includes(`${part.type}`))
      return isWanted && typeof part.text === 'string' ? [part.text] : []
    })
    .join('\n')
}
