import { type Command, KEY_LINES, keyName } from '../model/keys.ts'
import { COMMANDS } from '../state/commands.ts'
import { Icon, type IconName } from './icon.tsx'

/** What a button of the toolbars is. */
export interface IconButtonProps {
  readonly icon: IconName
  /** What it does, also for those who do not see it. */
  readonly name: string
  readonly onPress: () => void
  /** Whether it is switched on; left out for a button that is no switch. */
  readonly isOn?: boolean
  readonly isOff?: boolean
  readonly title?: string
}

/** A button with a drawing. */
export const IconButton = ({ icon, name, onPress, isOn, isOff = false, title = name }: IconButtonProps) => (
  <button
    type="button"
    class="icon-button"
    aria-label={name}
    aria-pressed={isOn}
    title={title}
    disabled={isOff}
    onClick={onPress}
  >
    <Icon name={icon} />
  </button>
)

/** A button that does what a key does, and says which. */
export const CommandButton = ({
  command,
  ...props
}: Omit<IconButtonProps, 'onPress' | 'title'> & { readonly command: Command }) => {
  const key = KEY_LINES.find((line) => line.command === command)?.keys[0]
  const title = key === undefined ? props.name : `${props.name} (${keyName(key)})`
  return <IconButton {...props} title={title} onPress={COMMANDS[command]} />
}
