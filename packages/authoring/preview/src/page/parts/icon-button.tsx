import { KEY_LINES, type KeyCommand, keyName } from '../model/keys.ts'
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
  /** A word beside the drawing, for what nobody would find by the drawing alone. */
  readonly text?: string
}

/** A button with a drawing. */
export const IconButton = ({ icon, name, onPress, isOn, isOff = false, title = name, text }: IconButtonProps) => (
  <button
    type="button"
    class={text === undefined ? 'icon-button' : 'icon-button worded'}
    aria-label={name}
    aria-pressed={isOn}
    title={title}
    disabled={isOff}
    onClick={onPress}
  >
    <Icon name={icon} />
    {text}
  </button>
)

/** What a button of a key is. */
interface CommandButtonProps extends Omit<IconButtonProps, 'onPress' | 'title'> {
  readonly command: KeyCommand
  /** What to do first; left out where the button can be pressed. */
  readonly whyOff?: string | undefined
}

/** A button that does what a key does, and says which. */
export const CommandButton = ({ command, whyOff, ...props }: CommandButtonProps) => {
  const key = KEY_LINES.find((line) => line.command === command)?.keys[0]
  const named = key === undefined ? props.name : `${props.name} (${keyName(key)})`
  const title = whyOff === undefined ? named : `${named}: ${whyOff}`
  return <IconButton {...props} title={title} onPress={COMMANDS[command]} />
}
