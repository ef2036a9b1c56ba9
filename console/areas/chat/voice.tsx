import { useEffect, useRef, useState } from 'react'
import { ApiFailure } from '../../../shared/client.ts'
import { transcribe } from '../../../shared/contract/transcribe.ts'
import { callApi } from '../../session/client.ts'
import { chat } from '../../texts/chat.ts'
import { IconButton } from '../../ui/button.tsx'
import { notify, notifyError } from '../../ui/toast.tsx'
import { changeDraft, drafts } from './drafts.ts'

const texts = chat.voice

type State = 'idle' | 'starting' | 'recording' | 'transcribing'

const appendToDraft = (draftKey: string, spoken: string): void => {
  const { text } = drafts.get(draftKey)
  const gap = text && !/\s$/.test(text) ? ' ' : ''
  changeDraft(draftKey, { text: `${text}${gap}${spoken}` })
}

const transcribeInto = async (draftKey: string, upload: File): Promise<void> => {
  try {
    const { text } = await callApi(transcribe, { upload })
    if (text.trim()) appendToDraft(draftKey, text.trim())
    else notify(texts.silent)
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 503)
      notifyError(new Error(texts.unconfigured))
    else if (error instanceof Error) notifyError(error)
  }
}

/** Records speech and adds its transcription to a draft. */
export const VoiceButton = ({ draftKey }: { draftKey: string }) => {
  const [state, setState] = useState<State>('idle')
  const recording = useRef<Recording>(undefined)
  const isMounted = useRef(false)
  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
      recording.current?.cancel()
    }
  }, [])
  const start = async () => {
    setState('starting')
    try {
      const started = await startRecording()
      // The user may answer the permission prompt on another screen, which has no button to stop.
      if (!isMounted.current) return started.cancel()
      recording.current = started
      setState('recording')
    } catch (error) {
      setState('idle')
      if (error instanceof Error) notifyError(error)
    }
  }
  const stop = async () => {
    const { current } = recording
    recording.current = undefined
    if (!current) return
    setState('transcribing')
    await transcribeInto(draftKey, await current.stop())
    setState('idle')
  }
  return (
    <>
      {state === 'recording' ? (
        <IconButton icon="stop" look="danger" label={texts.stop} onPress={() => void stop()} />
      ) : (
        <IconButton
          icon="mic"
          label={texts.record}
          isPending={state !== 'idle'}
          onPress={() => void start()}
        />
      )}
      <span role="status" className="small quiet">
        {state === 'recording' && texts.recording}
        {state === 'transcribing' && texts.transcribing}
      </span>
    </>
  )
}

type Recording = Awaited<ReturnType<typeof startRecording>>

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
const startRecording = async () => {
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
