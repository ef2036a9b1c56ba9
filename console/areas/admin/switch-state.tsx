import { admin } from '../../texts/admin.ts'
import { Button } from '../../ui/button.tsx'

const texts = admin.engines

export const StateBadge = ({ isOn }: { isOn: boolean }) => (
  <span className={isOn ? 'badge good' : 'badge bad'}>{isOn ? admin.on : admin.off}</span>
)

interface SwitchButtonProps {
  name: string
  isOn: boolean
  onPress: () => void
}

/** The button that opens the dialog with the reason. */
export const SwitchButton = ({ name, isOn, onPress }: SwitchButtonProps) => (
  <Button
    isSmall
    aria-label={isOn ? texts.turnOffNamed(name) : texts.turnOnNamed(name)}
    onPress={onPress}
  >
    {isOn ? admin.turnOff : admin.turnOn}
  </Button>
)
