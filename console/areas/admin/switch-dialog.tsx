import type { CallArgs } from '../../../shared/client.ts'
import type { Endpoint } from '../../../shared/contract/endpoint.ts'
import { admin } from '../../texts/admin.ts'
import { notify } from '../../ui/toast.tsx'
import { ReasonDialog } from './reason-dialog.tsx'

const texts = admin.engines

interface SwitchDialogProps<E extends Endpoint> {
  row: E
  name: string
  isOn: boolean
  /** The consequence of turning it off. */
  turnOffNote: string
  args: (body: { enabled: boolean; reason: string }) => CallArgs<E>
  onClose: () => void
}

/** Turns an engine or a handler on or off, with a reason. */
export const SwitchDialog = <E extends Endpoint>(props: SwitchDialogProps<E>) => {
  const { row, name, isOn, turnOffNote, args, onClose } = props
  return (
    <ReasonDialog
      row={row}
      title={isOn ? texts.turnOffTitle(name) : texts.turnOnTitle(name)}
      note={isOn ? turnOffNote : texts.turnOnNote}
      label={isOn ? admin.turnOff : admin.turnOn}
      isDanger={isOn}
      isReasonRequired
      args={(reason) => args({ enabled: !isOn, reason })}
      onDone={() => {
        notify(texts.switched(name, (isOn ? admin.off : admin.on).toLowerCase()))
        onClose()
      }}
      onClose={onClose}
    />
  )
}
