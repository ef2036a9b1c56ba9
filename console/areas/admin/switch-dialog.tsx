import { admin } from '../../texts/admin.ts'
import { notify } from '../../ui/toast.tsx'
import { ReasonDialog } from './reason-dialog.tsx'

const texts = admin.engines

interface SwitchDialogProps {
  name: string
  isOn: boolean
  /** The consequence of turning it off. */
  turnOffNote: string
  change: { isPending: boolean; error: Error | null }
  onSubmit: (reason: string) => void
  onClose: () => void
}

/** Turns an engine or a handler on or off, with a reason. */
export const SwitchDialog = ({ name, isOn, turnOffNote, change, ...props }: SwitchDialogProps) => (
  <ReasonDialog
    {...props}
    title={isOn ? texts.turnOffTitle(name) : texts.turnOnTitle(name)}
    note={isOn ? turnOffNote : texts.turnOnNote}
    label={isOn ? admin.turnOff : admin.turnOn}
    isDanger={isOn}
    isReasonRequired
    isPending={change.isPending}
    error={change.error}
  />
)

export const notifySwitched = (name: string, isOn: boolean): void => {
  notify(texts.switched(name, isOn ? admin.on : admin.off))
}
