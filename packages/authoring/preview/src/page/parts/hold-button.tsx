import { Icon, type IconName } from './icon.tsx'

/** What a button does that is held. */
export interface HoldButtonProps {
  readonly icon: IconName
  readonly name: string
  readonly title: string
  readonly isHeld: boolean
  readonly isOff: boolean
  onHold(isHeld: boolean): void
}

/** A button that shows something while it is held, by a pointer or by a key. */
export const HoldButton = ({ icon, name, title, isHeld, isOff, onHold }: HoldButtonProps) => {
  const end = () => onHold(false)
  return (
    <button
      type="button"
      class="icon-button hold"
      aria-label={name}
      aria-pressed={isHeld}
      title={title}
      disabled={isOff}
      onPointerDown={({ currentTarget, pointerId, button }) => {
        if (button !== 0) return
        currentTarget.setPointerCapture(pointerId)
        onHold(true)
      }}
      onLostPointerCapture={end}
      onContextMenu={(event) => event.preventDefault()}
      onKeyDown={(event) => {
        if (event.key !== ' ' && event.key !== 'Enter') return
        event.preventDefault()
        onHold(true)
      }}
      onKeyUp={end}
      onBlur={end}
    >
      <Icon name={icon} />
    </button>
  )
}
