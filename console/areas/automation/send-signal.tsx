import { useState } from 'react'
import { type SenseDevice, type SignalType, sendSignal } from '../../../shared/contract/senses.ts'
import { useAction } from '../../session/query.ts'
import { signals as texts } from '../../texts/automation.ts'
import { Select } from '../../ui/choice.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { notify } from '../../ui/toast.tsx'
import { parseSignalValue } from './json.ts'
import { signalTypeOptions } from './options.ts'

interface SendSignalDialogProps {
  device: SenseDevice
  isOpen: boolean
  onClose: () => void
}

/** Sends a signal by hand, which tests the reflexes that watch the device. */
export const SendSignalDialog = ({ device, isOpen, onClose }: SendSignalDialogProps) => {
  const [type, setType] = useState<SignalType>('readings')
  const send = useAction(sendSignal, {
    onSuccess: ({ deduplicated }) => {
      notify(deduplicated ? texts.deduplicated : texts.sent)
      close()
    },
  })
  const close = () => {
    send.reset()
    onClose()
  }
  const submit = (data: FormData) =>
    send.mutate({
      params: { device_id: device.device_id },
      body: { signal_type: type, value: parseSignalValue(type, String(data.get('value'))) },
    })
  return (
    <Dialog title={texts.send} isOpen={isOpen} onClose={close}>
      <p className="quiet">{texts.sendNote}</p>
      <Form onSubmit={submit} error={send.error} fields={['value']}>
        <Select label={texts.type} options={signalTypeOptions} value={type} onChange={setType} />
        <TextField
          name="value"
          label={texts.value}
          note={texts.valueNotes[type]}
          rows={2}
          isRequired
          autoFocus
        />
        <DialogActions action={texts.sendAction} isPending={send.isPending} onCancel={close} />
      </Form>
    </Dialog>
  )
}
