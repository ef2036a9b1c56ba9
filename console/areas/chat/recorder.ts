import { chat } from '../../texts/chat.ts'

const texts = chat.voice

export type Recording = Awaited<ReturnType<typeof startRecording>>

/** Why the browser gives no microphone (Media Capture and Streams, 10.1.4). */
const reasonOf = (error: unknown): string => {
  const name = error instanceof Error ? error.name : ''
  if (name === 'NotFoundError') return texts.noMicrophone
  return texts.denied
}

const openMicrophone = (): Promise<MediaStream> => {
  // The property is missing outside of secure contexts.
  const devices: MediaDevices | undefined = navigator.mediaDevices
  if (!devices) throw new Error(texts.insecure)
  return devices.getUserMedia({ audio: true }).catch((cause: unknown) => {
    throw new Error(reasonOf(cause), { cause })
  })
}

/** @throws Error in words: no permission, no microphone, no support. */
export const startRecording = async () => {
  if (typeof MediaRecorder === 'undefined') throw new Error(texts.unsupported)
  const stream = await openMicrophone()
  const recorder = new MediaRecorder(stream)
  const parts: Blob[] = []
  recorder.addEventListener('dataavailable', ({ data }) => parts.push(data))
  const stopped = new Promise<void>((resolve) => {
    recorder.addEventListener('stop', () => resolve(), { once: true })
  })
  const end = () => {
    if (recorder.state !== 'inactive') recorder.stop()
    for (const track of stream.getTracks()) track.stop()
  }
  recorder.start()
  return {
    /** Ends the recording without a result. */
    cancel: end,

    /** Ends the recording and returns it. */
    async stop(): Promise<File> {
      end()
      await stopped
      const [type = 'audio/webm'] = recorder.mimeType.split(';')
      return new File(parts, `voice.${type.split('/')[1] ?? 'webm'}`, { type })
    },
  }
}
