import { isFieldAwaited, stopTyping } from '../edit/typing.ts'
import { commandOf, type Focus, keyName, needsSelection } from '../model/keys.ts'
import { isBeforeHeld } from '../review/before.ts'
import { COMMANDS } from './commands.ts'
import { tell } from './notices.ts'
import { selectedKeys } from './timeline.ts'

const TEXT_INPUTS = new Set(['text', 'number', 'search', 'url'])

const focusOf = (element: Element | null): Focus => {
  if (element instanceof HTMLInputElement) {
    if (element.type === 'range') return 'slider'
    return TEXT_INPUTS.has(element.type) ? 'text' : 'button'
  }
  if (element instanceof HTMLTextAreaElement) return 'text'
  if (element instanceof HTMLSelectElement || element instanceof HTMLVideoElement) return 'choice'
  if (element?.getAttribute('role') === 'tab') return 'tab'
  return element?.matches('button, a, summary') ? 'button' : 'nothing'
}

const press = (event: KeyboardEvent) => {
  // The dialog itself knows first that it was closed; its event comes later, perhaps after the next key.
  const isCovered = document.querySelector('dialog[open]') !== null && event.key !== '?'
  if (event.defaultPrevented || isCovered) return
  const command = commandOf(event, focusOf(document.activeElement))
  if (!command) return
  event.preventDefault()
  // It is meant for the text that was clicked twice.
  if (isFieldAwaited.value) return command === 'selectNone' ? stopTyping() : undefined
  const line = needsSelection(command)
  if (line && selectedKeys.value.length === 0)
    tell(`Select a clip on the timeline first. ${keyName(event.key.toLowerCase())}: ${line.does.toLowerCase()}.`)
  else COMMANDS[command]()
}

/** After a click, keys are for the picture again: else the space bar would press the button once more. */
const giveBack = (event: Event) => {
  const { target, detail } = event as UIEvent
  const control = target instanceof Element ? target.closest('button, [data-returns-focus]') : null
  const byMouse = event.type === 'pointerup' ? control?.matches('input') : detail > 0
  if (control && byMouse && document.activeElement instanceof HTMLElement) document.activeElement.blur()
}

const NOTHING_BESIDE = { shiftKey: false, ctrlKey: false, altKey: false, metaKey: false }

/** Ends what is shown while a key is held. */
const endHold = () => {
  isBeforeHeld.value = false
}

const release = (event: KeyboardEvent) => {
  // The keys beside it may have been pressed or let go meanwhile.
  if (commandOf({ ...NOTHING_BESIDE, key: event.key }, 'nothing') === 'before') endHold()
}

/** Listens to the keyboard for the whole page. */
export const listenToKeys = (): void => {
  window.addEventListener('keydown', press)
  window.addEventListener('keyup', release)
  window.addEventListener('blur', endHold)
  window.addEventListener('click', giveBack)
  window.addEventListener('pointerup', giveBack)
}
