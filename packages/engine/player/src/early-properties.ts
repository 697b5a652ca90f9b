/** The properties of a player that can be set, in an order in which each can be. */
const NAMES = [
  'src',
  'poster',
  'variables',
  'controls',
  'autoplay',
  'loop',
  'muted',
  'range',
  'volume',
  'playbackRate',
  'currentTime',
]

/**
 * Gives an element the values that a page set before the browser knew what it is: they became properties of their own,
 * which hide those of the element.
 */
export const takeEarlyProperties = (player: HTMLElement): void => {
  for (const name of NAMES) {
    if (!Object.hasOwn(player, name)) continue
    const value: unknown = Reflect.get(player, name)
    Reflect.deleteProperty(player, name)
    Reflect.set(player, name, value)
  }
}
