/** What a key does. */
export type KeyCommand =
  | 'toggle'
  | 'stepBack'
  | 'stepForward'
  | 'secondBack'
  | 'secondForward'
  | 'toStart'
  | 'toEnd'
  | 'shuttleBack'
  | 'stop'
  | 'shuttleForward'
  | 'markIn'
  | 'markOut'
  | 'clearRange'
  | 'loop'
  | 'mute'
  | 'fullScreen'
  | 'fit'
  | 'actualSize'
  | 'zoomIn'
  | 'zoomOut'
  | 'exact'
  | 'before'
  | 'comment'
  | 'keys'
  | 'split'
  | 'remove'
  | 'duplicate'
  | 'nudgeBack'
  | 'nudgeForward'
  | 'nudgeSecondBack'
  | 'nudgeSecondForward'
  | 'trimStart'
  | 'trimEnd'
  | 'snapping'
  | 'toClips'
  | 'selectAll'
  | 'selectNone'
  | 'undo'
  | 'redo'
  | 'write'

/** A line of the list of keys. */
export interface KeyLine {
  readonly command: KeyCommand
  /** As `KeyboardEvent.key` names it, in lower case, with `ctrl+` (also the command key) and `shift+` in front. */
  readonly keys: readonly string[]
  readonly does: string
  /** Whether it changes the source of what is selected. */
  readonly isChange?: true
}

/** Every key, in the order of the list. */
export const KEY_LINES: readonly KeyLine[] = [
  { command: 'toggle', keys: ['space'], does: 'Play or pause' },
  { command: 'shuttleBack', keys: ['j'], does: 'Play backwards; again doubles the speed' },
  { command: 'stop', keys: ['k'], does: 'Pause' },
  { command: 'shuttleForward', keys: ['l'], does: 'Play forwards; again doubles the speed' },
  { command: 'stepBack', keys: ['arrowleft'], does: 'One frame back' },
  { command: 'stepForward', keys: ['arrowright'], does: 'One frame forward' },
  { command: 'secondBack', keys: ['shift+arrowleft'], does: 'One second back' },
  { command: 'secondForward', keys: ['shift+arrowright'], does: 'One second forward' },
  { command: 'toStart', keys: ['home'], does: 'To the start' },
  { command: 'toEnd', keys: ['end'], does: 'To the last frame' },
  { command: 'markIn', keys: ['i'], does: 'Begin the range here' },
  { command: 'markOut', keys: ['o'], does: 'End the range here' },
  { command: 'clearRange', keys: ['x'], does: 'Remove the range' },
  { command: 'loop', keys: ['shift+l'], does: 'Repeat' },
  { command: 'mute', keys: ['m'], does: 'Mute' },
  { command: 'fit', keys: ['0'], does: 'Fit the picture' },
  { command: 'actualSize', keys: ['1'], does: 'Picture at 100 %' },
  { command: 'zoomIn', keys: ['+', '='], does: 'Zoom in' },
  { command: 'zoomOut', keys: ['-'], does: 'Zoom out' },
  { command: 'split', keys: ['s'], does: 'Split the selected clips at the playhead', isChange: true },
  { command: 'remove', keys: ['delete', 'backspace'], does: 'Remove the selection', isChange: true },
  { command: 'duplicate', keys: ['d'], does: 'Duplicate the selected clips', isChange: true },
  { command: 'nudgeBack', keys: [','], does: 'Move the selected clips one frame back', isChange: true },
  { command: 'nudgeForward', keys: ['.'], does: 'Move the selected clips one frame forward', isChange: true },
  { command: 'nudgeSecondBack', keys: ['<'], does: 'Move the selected clips one second back', isChange: true },
  { command: 'nudgeSecondForward', keys: ['>'], does: 'Move the selected clips one second forward', isChange: true },
  { command: 'trimStart', keys: ['['], does: 'Begin the selected clips at the playhead', isChange: true },
  { command: 'trimEnd', keys: [']'], does: 'End the selected clips at the playhead', isChange: true },
  { command: 'snapping', keys: ['n'], does: 'Snapping on or off' },
  { command: 'toClips', keys: ['t'], does: 'To the clip at the playhead; Tab goes on from there' },
  { command: 'selectAll', keys: ['ctrl+a'], does: 'Select all clips' },
  { command: 'selectNone', keys: ['escape'], does: 'Select nothing' },
  { command: 'undo', keys: ['ctrl+z'], does: 'Undo' },
  { command: 'redo', keys: ['ctrl+shift+z', 'ctrl+y'], does: 'Redo' },
  { command: 'write', keys: ['ctrl+s'], does: 'Write the staged changes' },
  { command: 'exact', keys: ['e'], does: 'Compare with the exact frame' },
  { command: 'before', keys: ['b'], does: 'While held, the frame before the changes' },
  { command: 'comment', keys: ['c'], does: 'Write a comment' },
  { command: 'fullScreen', keys: ['f'], does: 'Full screen' },
  { command: 'keys', keys: ['?'], does: 'This list' },
]

const COMMANDS = new Map(KEY_LINES.flatMap(({ command, keys }) => keys.map((key) => [key, command])))

/** The line of a command that changes the source of what is selected; undefined for other commands. */
export const needsSelection = (command: KeyCommand): KeyLine | undefined =>
  KEY_LINES.find((line) => line.command === command && line.isChange)

/** The part of a keyboard event that is read. */
export interface Pressed {
  readonly key: string
  readonly shiftKey: boolean
  readonly ctrlKey: boolean
  readonly altKey: boolean
  readonly metaKey: boolean
}

/** What has the focus: the kind of element decides which keys it keeps for itself. */
export type Focus = 'nothing' | 'text' | 'slider' | 'button' | 'tab' | 'choice'

const isEdge = (key: string) => key === 'home' || key === 'end'

const KEPT: Readonly<Record<Focus, (key: string) => boolean>> = {
  nothing: () => false,
  text: () => true,
  choice: (key) => key === 'space' || key.startsWith('arrow') || key.length === 1 || isEdge(key),
  slider: (key) => key.startsWith('arrow') || isEdge(key),
  tab: (key) => key === 'space' || key.startsWith('arrow') || isEdge(key),
  button: (key) => key === 'space',
}

/** The command of a key; undefined when it has none, or belongs to what has the focus. */
export const commandOf = (
  { key, shiftKey, ctrlKey, altKey, metaKey }: Pressed,
  focus: Focus,
): KeyCommand | undefined => {
  if (altKey) return undefined
  const name = key === ' ' ? 'space' : key.toLowerCase()
  if (KEPT[focus](name)) return undefined
  // Characters such as ? need the shift key on many keyboards, and are what they are.
  const isCharacter = name.length === 1 && !/[a-z]/.test(name)
  const shifted = shiftKey && !isCharacter ? `shift+${name}` : name
  return COMMANDS.get(ctrlKey || metaKey ? `ctrl+${shifted}` : shifted)
}

const SHOWN: Readonly<Record<string, string>> = {
  space: 'Space',
  arrowleft: '←',
  arrowright: '→',
  home: 'Home',
  end: 'End',
  '-': '−',
  delete: 'Delete',
  backspace: 'Backspace',
  escape: 'Escape',
  ctrl: 'Ctrl',
  shift: 'Shift',
}

/** A key as the list shows it. */
export const keyName = (key: string): string =>
  key
    .split(/(?<=shift|ctrl)\+/)
    .map((part) => SHOWN[part] ?? part.toUpperCase())
    .join(' + ')
